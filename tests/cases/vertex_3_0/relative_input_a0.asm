; v[a0.x] picks an input
; v0 = 1 2 3 4
; v1 = 5 6 7 8
; c0 = 1 0 0 0
; out = 5 6 7 8
; c0 = 0 0 0 0
; out = 1 2 3 4
vs_3_0
dcl_position o0
dcl_texcoord o1
dcl_texcoord0 v0
dcl_texcoord1 v1
mov r0, c0
mova a0.x, r0.x
mov o1, v[a0.x]
mov o0, c255
