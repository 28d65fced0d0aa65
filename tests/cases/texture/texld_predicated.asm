; a predicated texld keeps the components whose predicate is not set
; tex0 = grid
; t0 = 0.28125 0.78125 9 9
; c0 = 1 0 1 0
; c1 = 7 8 9 10
; out = 4 8 0 10
ps_2_x
dcl t0
dcl_2d s0
mov r1, c0
setp_gt p0, r1, c9
mov r0, c1
(p0) texld r0, t0, s0
mov oC0, r0
