; ps_3_0: one register may hold a common and an uncommon semantic, each by its mask
; t1 = 1 2 3 4
; in4 = 5 6 7 8
; out = 1 2 7 8
ps_3_0
dcl_texcoord1 v4.xy
dcl_tangent2 v4.zw
mov oC0, v4
