; dp4: pairs of 0 and NaN add nothing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 2 nan 1
; c1 = nan 3 0 4
; out = 10
ps_2_0
mov r1, c0
dp4 r0, r1, c1
mov oC0, r0
