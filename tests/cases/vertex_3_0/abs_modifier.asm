; _abs takes the absolute value before the sign
; c0 = 1 -2 3 -4
; out = -1 -2 3 4
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r0.xy, -r1_abs
mov r0.zw, r1_abs
mov o1, r0
mov o0, c255
