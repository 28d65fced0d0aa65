; m4x3: 3 dot products of 4 components with consecutive constants
; c0 = 1 2 3 4
; c4 = 1 0 0 10
; c5 = 0 2 0 20
; c6 = 0 0 3 30
; c7 = 1 1 1 1
; out = 41 84 129 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r0, c9
m4x3 r0.xyz, r1, c4
mov o1, r0
mov o0, c255
