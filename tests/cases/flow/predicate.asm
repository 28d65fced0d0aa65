; setp and a predicated mov, lane by lane
; versions = ps_2_x ps_3_0
; c0 = 1 5 3 7
; c1 = 4 4 4 4
; out = -1 5 -3 7
ps_2_x
mov r0, c0
setp_lt p0, r0, c1
(p0) mov r0, -r0
mov oC0, r0
