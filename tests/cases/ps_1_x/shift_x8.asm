; _x8 multiplies the result by 8
; v0 = 0.25 0.5 0.75 1
; out = 2 4 6 8
ps_1_4
mov_x8 r0, v0
