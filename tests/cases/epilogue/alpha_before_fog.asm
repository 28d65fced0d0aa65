; alpha test and fog together: the alpha tested is the unfogged one
; versions = ps_2_0 ps_2_x
; options = alpha_greater fog_vertex
; alpha_ref = 0.4
; fog_color = 1 1 0 0
; c0 = 0 1 1 0.5
; fog = 0.25
; out = 0.75 1 0.25 0.5
; c0 = 0 1 1 0.25
; killed
ps_2_0
mov r0, c0
mov oC0, r0
