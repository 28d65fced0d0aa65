; rcp: the reciprocal; of infinity 0, of 0 FLT_MAX
; c0 = 4 0 0 0
; out = 0.25
; c0 = -0.5 0 0 0
; out = -2
; c0 = inf 0 0 0
; out = 0
; c0 = 0 0 0 0
; out = max
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
rcp o1, r1.x
mov o0, c255
