; min: the smaller of each component
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 -2 3 4
; c1 = 2 -3 3 0
; out = 1 -3 3 0
vs_1_1
mov r1, c0
mov r2, c1
min oT0, r1, r2
