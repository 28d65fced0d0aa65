; expp after vs_1_1 is exp
; c0 = 3 0 0 0
; out = 8
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
expp o1, r1.x
mov o0, c255
