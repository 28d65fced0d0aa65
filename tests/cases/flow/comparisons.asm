; setp_gt, eq, ge, lt, ne and le on less, equal and greater
; c0 = 1 2 3 2
; c1 = 2 2 2 2
; out = 20 9 25 9
ps_2_x
def c2, 1, 2, 4, 8
def c3, 16, 0, 0, 0
mov r0, c4
mov r1, c0
setp_gt p0, r1, c1
(p0) add r0, r0, c2.x
setp_ge p0, r1, c1
(p0) add r0, r0, c2.w
setp_lt p0, r1, c1
(p0) add r0, r0, c2.z
setp_ne p0, r1, c1
(p0) add r0, r0, c3.x
setp_eq p0, r1, c1
(p0) add r0, r0, c2.x
mov oC0, r0
