; _x8, _d4 and _d8
; v0 = 0.125 0.5 1 0.25
; out = 1 0.125 0.125 2
ps_1_4
mov_x8 r0.r, v0
mov_d4 r0.g, v0
mov_d8 r0.b, v0
mov_x8 r0.a, v0
