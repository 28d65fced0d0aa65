; lrp weighs the second operand by the first, the third by the rest
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; v0 = 0.25 0.5 0.75 1
; v1 = 1 1 1 1
; c0 = 0.5 0.5 0.5 0.5
; out = 0.625 0.75 0.875 1
ps_1_1
lrp r0, v0, v1, c0
