; flat shading in ps_1_x
; options = flat
; v0 = 0.25 0.5 0.75 1
; v1 = 0.5 0 0 0
; out = 0.75 0.5 0.75 1
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
ps_1_1
add r0, v0, v1
