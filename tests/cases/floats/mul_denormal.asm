; mul: a denormal factor counts as 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1e-39 -1e-39 1e-39 2
; c1 = inf 1e38 nan 3
; out = 0 0 0 6
ps_2_0
mov r1, c0
mov r2, c1
mul r0, r1, r2
mov oC0, r0
