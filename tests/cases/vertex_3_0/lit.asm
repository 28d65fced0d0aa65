; lit: 1, the diffuse and the specular coefficient, 1
; c0 = 0.5 0.5 9 2
; out = 1 0.5 0.25 1
; c0 = -1 0.5 0 2
; out = 1 0 0 1
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
lit o1, r1
mov o0, c255
