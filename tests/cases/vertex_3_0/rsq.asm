; rsq: one over the root of the absolute value; of 0 FLT_MAX
; c0 = 16 0 0 0
; out = 0.25
; c0 = -16 0 0 0
; out = 0.25
; c0 = inf 0 0 0
; out = 0
; c0 = 0 0 0 0
; out = max
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
rsq o1, r1.x
mov o0, c255
