; exp: 2 to the power, in every component
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 3 0 0 0
; out = 8
; c0 = -inf 0 0 0
; out = 0
; c0 = inf 0 0 0
; out = inf
vs_1_1
mov r1, c0
exp oT0, r1.x
