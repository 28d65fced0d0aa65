; abs: the absolute value
; versions = vs_2_0 vs_2_x
; c0 = 1 -2 -0.5 0
; out = 1 2 0.5 0
vs_2_0
mov r1, c0
abs oT0, r1
