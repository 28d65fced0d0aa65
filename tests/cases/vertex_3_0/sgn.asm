; sgn: -1, 0 or 1
; c0 = -3 0 5 -0.1
; out = -1 0 1 -1
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
sgn o1, r1
mov o0, c255
