; lrp weighs the second operand by the first, the third by the rest
; c0 = 0 1 0.25 0.5
; c1 = 8 8 8 8
; c2 = 4 4 4 -8
; out = 4 8 5 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
lrp o1, r1, r2, c2
mov o0, c255
