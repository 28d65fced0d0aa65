; a predicated setp changes only the components whose predicate is set
; c0 = 1 5 3 7
; c1 = 4 4 4 4
; out = 9 5 9 9
ps_2_x
def c2, 9, 9, 9, 9
mov r0, c0
setp_lt p0, r0, c1
(!p0) setp_gt p0, r0.x, -r0.x
setp_eq p0.y, r0, -r0
mov r1, c2
(p0) mov r0, r1
mov oC0, r0
