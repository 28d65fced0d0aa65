; min: the smaller of each component
; c0 = 1 -2 3 4
; c1 = 2 -3 3 0
; out = 1 -3 3 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
min o1, r1, r2
mov o0, c255
