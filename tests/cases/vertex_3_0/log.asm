; log: the base 2 logarithm of the absolute value
; c0 = 8 0 0 0
; out = 3
; c0 = -0.5 0 0 0
; out = -1
; c0 = inf 0 0 0
; out = inf
; c0 = 0 0 0 0
; out = -max
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
log o1, r1.x
mov o0, c255
