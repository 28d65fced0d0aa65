; infinity times a number is infinity
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = inf inf -inf 2
; c1 = 2 -1 -3 inf
; out = inf -inf inf inf
ps_2_0
mov r1, c0
mul r0, r1, c1
mov oC0, r0
