; nop does nothing
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; out = 1 2 3 4
vs_1_1
nop
mov oT0, c0
nop
