; exp: 2 to the power, in every component
; c0 = 3 0 0 0
; out = 8
; c0 = -inf 0 0 0
; out = 0
; c0 = inf 0 0 0
; out = inf
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
exp o1, r1.x
mov o0, c255
