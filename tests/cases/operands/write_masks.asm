; a write mask takes each component from its own lane
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 1 2 3 4
; c0 = 9 9 9 9
; out = 9 1 9 4
vs_1_1
dcl_position v0
mov r0, c0
mov r0.yw, v0.zxyw
mov oT0, r0
