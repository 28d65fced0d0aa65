; crs: 0 times infinity is 0 in the cross product
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 1 0 0
; c1 = inf 0 1 0
; out = 1 0 -inf 0
ps_2_0
mov r1, c0
mov r0, c2
mov r2, c1
crs r0.xyz, r1, r2
mov oC0, r0
