; c[a0.x + n] outside the file reads 0
; v0 = 300 0 0 0
; c5 = 1 2 3 4
; out = 0
; v0 = -6 0 0 0
; out = 0
; v0 = 2 0 0 0
; out = 1 2 3 4
vs_1_1
dcl_position v0
mov a0.x, v0.x
mov oT0, c[a0.x + 3]
