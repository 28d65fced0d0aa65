; parts of oT0 written apart
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; out = 3 1 0 0
vs_1_1
mov oT0.y, c0.x
mov oT0.x, c0.z
