; mtld3d#487: a predicate decides component by component
; versions = ps_2_x ps_3_0
; c0 = 1 5 3 7
; c1 = 4 4 4 4
; out = -1 5 -3 7
ps_2_x
mov r0, c0
mov r1, c1
setp_lt p0, r0, r1
(p0) mov r0, -r0
mov oC0, r0
