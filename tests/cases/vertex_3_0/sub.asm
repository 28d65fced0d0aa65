; sub: the difference of each component
; c0 = 1 2 3 4
; c1 = 10 -20 0.5 0
; out = -9 22 2.5 4
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
mov r2, c1
sub o1, r1, r2
mov o0, c255
