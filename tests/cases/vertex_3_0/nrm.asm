; nrm divides by the length of xyz; w is scaled with it
; c0 = 3 0 4 10
; out = 0.6 0 0.8 2
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r1, c0
nrm r0, r1
mov o1, r0
mov o0, c255
