; vertex fog after a ps_1_1 shader
; versions = ps_1_1 ps_1_2 ps_1_3
; options = fog_vertex
; fog_color = 1 1 0 0
; c0 = 0 1 1 0.5
; fog = 0.25
; out = 0.75 1 0.25 0.5
ps_1_1
mov r0, c0
