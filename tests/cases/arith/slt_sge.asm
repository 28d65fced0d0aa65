; slt and sge give 1 or 0
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 1 2 3 4
; c0 = 2 2 2 2
; out = 1 0 1 1
vs_1_1
dcl_position v0
slt r0, v0, c0
sge r1, v0, c0
mov oT0.xy, r0
mov oT0.zw, r1
