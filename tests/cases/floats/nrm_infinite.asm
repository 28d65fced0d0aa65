; nrm of an infinite vector gives finite components for the finite ones
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = inf 1 2 3
; out = 0 0 0 0
ps_2_0
mov r1, c0
nrm r0, r1
mov oC0, r0
