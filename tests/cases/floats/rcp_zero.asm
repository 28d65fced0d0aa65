; rcp of 0 is FLT_MAX, and 0 times that is 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 0 0
; out = max 0 max 0
ps_2_0
rcp r1, c0.x
mul r2, r1, c0.y
mov r0, r1
mov r0.yw, r2
mov oC0, r0
