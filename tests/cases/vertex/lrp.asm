; lrp weighs the second operand by the first, the third by the rest
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 0 1 0.25 0.5
; c1 = 8 8 8 8
; c2 = 4 4 4 -8
; out = 4 8 5 0
vs_2_0
mov r1, c0
mov r2, c1
lrp oT0, r1, r2, c2
