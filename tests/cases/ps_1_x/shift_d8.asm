; _d8 divides the result by 8
; v0 = 0.25 0.5 0.75 1
; out = 0.03125 0.0625 0.09375 0.125
ps_1_4
mov_d8 r0, v0
