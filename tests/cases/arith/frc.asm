; frc is the distance to the next lower whole number
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1.25 -1.25 3 -0.5
; out = 0.25 0.75 0 0.5
ps_2_0
frc r0, c0
mov oC0, r0
