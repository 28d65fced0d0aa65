; mul: FLT_MAX times 2 is infinity
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = max -max 2 1
; c1 = 2 2 max max
; out = inf -inf inf max
ps_2_0
mov r1, c0
mov r2, c1
mul r0, r1, r2
mov oC0, r0
