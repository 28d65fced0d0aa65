; dxvk#2672: m4x4: 0 times infinity adds nothing
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 0 1 2 3
; c0 = inf 1 1 1
; c1 = nan 1 0 0
; c2 = 5 0 1 0
; c3 = -inf 0 0 1
; out = 6 1 2 3
vs_1_1
dcl_position v0
m4x4 oT0, v0, c0
