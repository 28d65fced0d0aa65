; flat shading in ps_3_0: colours 0 and 1 alone
; options = flat
; v0 = 0.25 0.5 0.75 1
; v1 = 0.5 0 0 0
; in2 = 0 0 0.125 0
; out = 0.75 0.5 0.875 1
ps_3_0
dcl_color0 v0
dcl_color1 v1
dcl_color2 v2
add r0, v0, v1
add oC0, r0, v2
