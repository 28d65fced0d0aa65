; dp3: pairs of 0 and infinity add nothing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 2 inf 9
; c1 = inf 3 0 9
; out = 6
ps_2_0
mov r1, c0
dp3 r0, r1, c1
mov oC0, r0
