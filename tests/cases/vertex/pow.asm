; pow takes the absolute value of its base
; versions = vs_2_0 vs_2_x
; c0 = -3 2 0 0
; out = 9
; within = 0.0001
vs_2_0
mov r1, c0
pow oT0, r1.x, r1.y
