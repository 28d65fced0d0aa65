; dxvk#5470: without a fog varying the factor is the alpha of the specular colour
; versions = ps_2_0 ps_2_x
; options = fog_vertex missing10
; run = gpu msl
; fog_color = 1 1 0 0
; c0 = 0 1 1 0.5
; v1 = 9 9 9 0.25
; out = 0.75 1 0.25 0.5
ps_2_0
mov r0, c0
mov oC0, r0
