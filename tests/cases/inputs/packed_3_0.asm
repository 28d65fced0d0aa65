; ps_3_0: two semantics share one register by mask
; t0 = 1 2 3 4
; t1 = 5 6 7 8
; out = 1 2 7 8
ps_3_0
dcl_texcoord0 v0.xy
dcl_texcoord1 v0.zw
mov r0, v0
mov oC0, r0
