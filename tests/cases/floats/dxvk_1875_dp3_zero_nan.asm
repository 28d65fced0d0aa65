; dxvk#1875: dp3: 0 times NaN adds nothing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 nan 2 9
; c1 = nan 0 3 9
; out = 6
ps_2_0
mov r1, c0
mov r2, c1
dp3 r0, r1, r2
mov oC0, r0
