; slt: 1 where the first is smaller, 0 elsewhere; nothing is smaller than NaN
; c0 = 1 2 3 -0.5
; c1 = 2 2 2 0
; out = 1 0 0 1
; c0 = nan 1 -inf -0
; c1 = 1 nan inf 0
; out = 0 0 1 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
slt o1, r1, r2
mov o0, c255
