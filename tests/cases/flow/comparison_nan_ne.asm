; _ne holds on NaN
; c0 = nan nan nan nan
; c1 = 1 1 1 1
; out = 16
ps_2_x
def c3, 16, 0, 0, 0
mov r0, c4
mov r1, c0
setp_ne p0, r1, c1
(p0) mov r0, c3.x
mov oC0, r0
