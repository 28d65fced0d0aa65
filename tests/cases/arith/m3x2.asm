; m3x2: 2 dot products of 3 components with consecutive constants
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 1 2 3 4
; c4 = 1 0 0 10
; c5 = 0 2 0 20
; c6 = 0 0 3 30
; c7 = 1 1 1 1
; out = 1 4 0 0
vs_1_1
dcl_position v0
mov r0, c0
m3x2 r0.xy, v0, c4
mov oT0, r0
