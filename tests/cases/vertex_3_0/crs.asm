; crs: the cross product of xyz
; c0 = 1 2 3 0
; c1 = 4 5 6 0
; out = -3 6 -3 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
mov r0, c2
crs r0.xyz, r1, r2
mov o1, r0
mov o0, c255
