; _d4 divides the result by 4
; v0 = 0.25 0.5 0.75 1
; out = 0.0625 0.125 0.1875 0.25
ps_1_4
mov_d4 r0, v0
