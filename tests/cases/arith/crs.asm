; crs is the cross product of xyz
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 0
; c1 = 4 5 6 0
; out = -3 6 -3 0
ps_2_0
mov r0, c2
mov r1, c0
mov r2, c1
crs r0.xyz, r1, r2
mov oC0, r0
