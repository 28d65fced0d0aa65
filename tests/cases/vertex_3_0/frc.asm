; frc: the distance to the next lower whole number
; c0 = 1.25 -1.25 0 0
; out = 0.25 0.75 0 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r0, c2
frc r0.xy, r1
mov o1, r0
mov o0, c255
