; no comparison but _ne holds on NaN
; c0 = nan nan nan nan
; c1 = 1 1 1 1
; out = 0
ps_2_x
def c2, 1, 2, 4, 8
def c3, 16, 0, 0, 0
mov r0, c4
mov r1, c0
setp_gt p0, r1, c1
(p0) add r0, r0, c2.x
setp_ge p0, r1, c1
(p0) add r0, r0, c2.y
setp_lt p0, r1, c1
(p0) add r0, r0, c2.z
setp_le p0, r1, c1
(p0) add r0, r0, c2.w
setp_eq p0, r1, r1
(p0) add r0, r0, c3.x
mov oC0, r0
