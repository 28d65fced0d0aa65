; mul: the product of each component
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 2 3 4 -0.5
; out = 2 6 12 -2
vs_1_1
mov r1, c0
mov r2, c1
mul oT0, r1, r2
