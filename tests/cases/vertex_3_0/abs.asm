; abs: the absolute value
; c0 = 1 -2 -0.5 0
; out = 1 2 0.5 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
abs o1, r1
mov o0, c255
