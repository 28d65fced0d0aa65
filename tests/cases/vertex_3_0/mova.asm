; mova rounds to the nearest whole number, and c[a0 + n] is that far from cn
; c0 = 1.6 -2.4 0 0
; c2 = 1 2 3 4
; c12 = 5 6 7 8
; out = 1 2 7 8
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mova a0.xy, r1
mov r0, c[a0.x]
mov r0.zw, c[a0.y + 14]
mov o1, r0
mov o0, c255
