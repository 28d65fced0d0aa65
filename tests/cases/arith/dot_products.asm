; dp2add, dp3 and dp4 write one sum to every component of the mask
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; c2 = 100 0 0 0
; out = 117 38 70 70
ps_2_0
mov r1, c0
mov r2, c1
mov r3, c2
dp4 r0, r1, r2
dp3 r0.y, r1, r2
dp2add r0.x, r1, r2, r3.x
mov oC0, r0
