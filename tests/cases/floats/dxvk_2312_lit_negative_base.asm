; lit: no light, no highlight; a base of 0 or less gives 0 and never NaN
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = -1 0.5 0 2
; out = 1 0 0 1
; c0 = 1 0 0 0
; out = 1 1 0 1
; c0 = 1 -2 0 0.5
; out = 1 1 0 1
; c0 = 0 5 0 2
; out = 1 0 0 1
; c0 = nan 1 0 1
; out = 1 0 0 1
; c0 = 1 nan 0 1
; out = 1 1 0 1
vs_1_1
mov r0, c0
lit oT0, r0
