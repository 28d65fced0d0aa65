; ps_3_0 v[aL] picks an input
; t0 = 1 0 0 0
; t1 = 0 2 0 0
; t2 = 0 0 3 0
; i0 = 2 1 1
; out = 0 2 3 0
ps_3_0
dcl_texcoord0 v0
dcl_texcoord1 v1
dcl_texcoord2 v2
mov r0, c9
loop aL, i0
add r0, r0, v[aL]
endloop
mov oC0, r0
