; wine-nine#140: c[a0.x + n] outside the file reads 0
; versions = vs_2_0 vs_2_x
; v0 = 300 0 0 0
; c5 = 1 2 3 4
; out = 0
; v0 = -6 0 0 0
; out = 0
; v0 = 2 0 0 0
; out = 1 2 3 4
vs_2_0
dcl_position v0
mova a0.x, v0.x
mov oT0, c[a0.x + 3]
