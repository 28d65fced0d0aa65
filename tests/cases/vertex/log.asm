; log: the base 2 logarithm of the absolute value
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 8 0 0 0
; out = 3
; c0 = -0.5 0 0 0
; out = -1
; c0 = inf 0 0 0
; out = inf
; c0 = 0 0 0 0
; out = -max
vs_1_1
mov r1, c0
log oT0, r1.x
