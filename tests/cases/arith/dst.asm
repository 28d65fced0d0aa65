; dst makes (1, d, d^2, 1/d) parts: 1, y times y, z, w
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 9 2 3 9
; c0 = 9 5 9 7
; out = 1 10 3 7
vs_1_1
dcl_position v0
dst oT0, v0, c0
