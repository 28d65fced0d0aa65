; nop does nothing
; c0 = 1 2 3 4
; out = 1 2 3 4
vs_3_0
dcl_position o0
dcl_texcoord o1
nop
mov o1, c0
nop
mov o0, c255
