; a centroid input reads as any other
; t0 = 1 2 3 4
; out = 1 2 3 4
ps_3_0
dcl_texcoord_centroid v0
mov oC0, v0
