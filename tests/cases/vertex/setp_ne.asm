; setp_ne: the predicate is set where the first is not equal
; c0 = 1 2 3 4
; c1 = 2 2 2 4
; c3 = 1 1 1 1
; out = 1 0 1 0
vs_2_x
mov r1, c0
mov r2, c1
mov r0, c9
setp_ne p0, r1, r2
(p0) mov r0, c3
mov oT0, r0
