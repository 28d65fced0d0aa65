; setp_gt: the predicate is set where the first is above
; c0 = 1 2 3 4
; c1 = 2 2 2 4
; c3 = 1 1 1 1
; out = 0 0 1 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
mov r0, c9
setp_gt p0, r1, r2
(p0) mov r0, c3
mov o1, r0
mov o0, c255
