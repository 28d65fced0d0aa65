; sub: the difference of each component
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 10 -20 0.5 0
; out = -9 22 2.5 4
vs_1_1
mov r1, c0
mov r2, c1
sub oT0, r1, r2
