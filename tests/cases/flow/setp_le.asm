; setp_le holds below and at equality
; c0 = 1 2 3 2
; c1 = 2 2 2 1
; out = 1 1 0 0
ps_2_x
def c2, 1, 1, 1, 1
mov r0, c4
mov r1, c0
setp_le p0, r1, c1
(p0) mov r0, c2
mov oC0, r0
