; vertex fog: factor 1 is no fog, 0 is all fog; alpha is left alone
; versions = ps_2_0 ps_2_x
; options = fog_vertex
; fog_color = 1 1 0 0
; c0 = 0 1 1 0.5
; fog = 0.25
; out = 0.75 1 0.25 0.5
; fog = 2
; out = 0 1 1 0.5
; fog = -1
; out = 1 1 0 0.5
ps_2_0
mov r0, c0
mov oC0, r0
