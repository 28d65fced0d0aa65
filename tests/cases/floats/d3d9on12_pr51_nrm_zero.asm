; nrm of a zero vector is zero, not NaN
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 0 0
; out = 0
ps_2_0
mov r1, c0
nrm r0, r1
mov oC0, r0
