; (!p0) writes where the predicate is not set
; c0 = 1 5 3 7
; c1 = 4 4 4 4
; out = 1 -5 3 -7
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
mov r0, r1
setp_lt p0, r1, r2
(!p0) mov r0, -r0
mov o1, r0
mov o0, c255
