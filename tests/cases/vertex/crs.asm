; crs: the cross product of xyz
; versions = vs_2_0 vs_2_x
; c0 = 1 2 3 0
; c1 = 4 5 6 0
; out = -3 6 -3 0
vs_2_0
mov r1, c0
mov r2, c1
mov r0, c2
crs r0.xyz, r1, r2
mov oT0, r0
