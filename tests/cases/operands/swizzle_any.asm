; any swizzle may be read in a vertex shader
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 1 2 3 4
; out = 4 4 1 2
vs_1_1
dcl_position v0
mov oT0, v0.wwxy
