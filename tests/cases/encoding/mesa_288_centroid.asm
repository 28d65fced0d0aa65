; Mesa#288: a centroid input of a covered pixel is the input
; t0 = 1 2 3 4
; out = 1 2 3 4
ps_3_0
dcl_texcoord0_centroid v0
mov r0, v0
mov oC0, r0
