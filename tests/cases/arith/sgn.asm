; sgn is -1, 0 or 1
; versions = vs_2_0 vs_2_x
; c0 = -3 0 5 -0.1
; out = -1 0 1 -1
vs_2_0
mov r0, c0
sgn r3, r0, r1, r2
mov oT0, r3
