; frc: the distance to the next lower whole number
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1.25 -1.25 0 0
; out = 0.25 0.75 0 0
vs_1_1
mov r1, c0
mov r0, c2
frc r0.xy, r1
mov oT0, r0
