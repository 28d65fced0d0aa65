; vs_3_0 sincos has one operand
; c0 = 0.5 0 0 0
; out = 0.8775826 0.4794255 0 0
; within = 0.0001
vs_3_0
dcl_texcoord o0
dcl_position o1
mov r0, c1
mov o1, c255
sincos r0.xy, c0.x
mov o0, r0
