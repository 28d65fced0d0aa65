; rcp: the reciprocal; of infinity 0, of 0 FLT_MAX
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 4 0 0 0
; out = 0.25
; c0 = -0.5 0 0 0
; out = -2
; c0 = inf 0 0 0
; out = 0
; c0 = 0 0 0 0
; out = max
vs_1_1
mov r1, c0
rcp oT0, r1.x
