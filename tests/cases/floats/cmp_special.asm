; cmp: minus 0 is 0 or more, NaN is not
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = -0 nan inf -inf
; c1 = 1 1 1 1
; c2 = 2 2 2 2
; out = 1 2 1 2
ps_2_0
mov r1, c0
mov r2, c1
cmp r0, r1, r2, c2
mov oC0, r0
