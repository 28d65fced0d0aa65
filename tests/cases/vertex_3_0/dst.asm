; dst: 1, the product of the y, the first z, the second w
; c0 = 9 2 3 9
; c1 = 9 5 9 7
; out = 1 10 3 7
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
dst o1, r1, r2
mov o0, c255
