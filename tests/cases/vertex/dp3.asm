; dp3: the sum of three products in every component
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; out = 38
vs_1_1
mov r1, c0
mov r2, c1
dp3 oT0, r1, r2
