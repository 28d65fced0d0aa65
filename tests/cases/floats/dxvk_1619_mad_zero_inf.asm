; dxvk#1619: mad: 0 times infinity adds nothing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 inf nan 2
; c1 = inf 0 0 3
; c2 = 1 2 3 4
; out = 1 2 3 10
ps_2_0
mov r1, c0
mov r2, c1
mad r0, r1, r2, c2
mov oC0, r0
