; _sat clamps the result to 0 to 1
; c0 = -1 0.5 2 1
; out = 0 0.5 1 1
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov_sat r0, r1
mov o1, r0
mov o0, c255
