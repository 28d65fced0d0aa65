; dp4: the sum of four products in every component
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; out = 70
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
dp4 o1, r1, r2
mov o0, c255
