; setp_ge: the predicate is set where the first is not below
; versions = ps_2_x ps_3_0
; c0 = 1 2 3 4
; c1 = 2 2 2 4
; c3 = 1 1 1 1
; out = 0 1 1 1
ps_2_x
mov r1, c0
mov r2, c1
mov r0, c9
setp_ge p0, r1, r2
(p0) mov r0, c3
mov oC0, r0
