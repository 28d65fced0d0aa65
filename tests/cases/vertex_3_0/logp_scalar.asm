; logp after vs_1_1 is log
; c0 = -8 0 0 0
; out = 3
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
logp o1, r1.x
mov o0, c255
