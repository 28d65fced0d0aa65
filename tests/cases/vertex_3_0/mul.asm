; mul: the product of each component
; c0 = 1 2 3 4
; c1 = 2 3 4 -0.5
; out = 2 6 12 -2
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
mul o1, r1, r2
mov o0, c255
