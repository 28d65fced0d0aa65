; add: infinity plus a number, infinity less infinity, FLT_MAX overflowing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = inf inf max -0
; c1 = 1 -inf max 0
; out = inf nan inf 0
ps_2_0
mov r1, c0
mov r2, c1
add r0, r1, r2
mov oC0, r0
