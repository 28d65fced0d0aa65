; dp2add: pairs of 0 and infinity add nothing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 2 9 9
; c1 = inf 3 9 9
; c2 = 4 5 6 7
; out = 10
ps_2_0
mov r1, c0
mov r2, c2
dp2add r0, r1, c1, r2.x
mov oC0, r0
