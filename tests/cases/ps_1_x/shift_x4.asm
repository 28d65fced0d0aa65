; _x4 multiplies the result by 4
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; v0 = 0.25 0.5 0.75 1
; out = 1 2 3 4
ps_1_1
mov_x4 r0, v0
