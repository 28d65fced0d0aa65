; dxvk#5758: nrm of a centroid coordinate set of 0 stays finite
; t0 = 0 0 0 0
; out = 0
; t0 = 0 3 4 0
; out = 0 0.6 0.8 0
ps_3_0
dcl_texcoord0_centroid v0
nrm r0, v0
mov oC0, r0
