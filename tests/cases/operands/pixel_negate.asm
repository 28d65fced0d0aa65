; -r negates
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 -2 3 0
; out = -1 2 -3 0
ps_2_0
mov r1, c0
mov r0, -r1
mov oC0, r0
