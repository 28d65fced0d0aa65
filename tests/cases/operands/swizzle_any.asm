; any swizzle may be read in a vertex shader
; v0 = 1 2 3 4
; out = 4 4 1 2
vs_1_1
dcl_position v0
mov oT0, v0.wwxy
