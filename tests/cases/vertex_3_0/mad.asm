; mad multiplies, then adds
; c0 = 1 2 3 4
; c1 = 2 3 4 5
; c2 = 0.5 0 -1 1
; out = 2.5 6 11 21
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
mad o1, r1, r2, c2
mov o0, c255
