; _d2 divides the result by 2
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; v0 = 0.25 0.5 0.75 1
; out = 0.125 0.25 0.375 0.5
ps_1_1
mov_d2 r0, v0
