; 0 times NaN is 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 nan -0 nan
; c1 = nan 0 nan -0
; out = 0
ps_2_0
mov r1, c0
mul r0, r1, c1
mov oC0, r0
