; pow takes the absolute value of its base
; c0 = -3 2 0 0
; out = 9
; within = 0.0001
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
pow o1, r1.x, r1.y
mov o0, c255
