; c[a0.x + n]: mov to a0 rounds down in vs_1_1
; v0 = 2.9 0 0 0
; c5 = 1 2 3 4
; c6 = 5 6 7 8
; out = 1 2 3 4
; v0 = -0.5 0 0 0
; c2 = 9 9 9 9
; out = 9 9 9 9
vs_1_1
dcl_position v0
mov a0.x, v0.x
mov oT0, c[a0.x + 3]
