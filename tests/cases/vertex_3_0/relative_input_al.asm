; v[aL] picks an input
; v0 = 1 0 0 0
; v1 = 0 2 0 0
; v2 = 0 0 3 0
; i0 = 2 1 1
; out = 0 2 3 0
vs_3_0
dcl_position o0
dcl_texcoord o1
dcl_texcoord0 v0
dcl_texcoord1 v1
dcl_texcoord2 v2
mov r0, c9
loop aL, i0
add r0, r0, v[aL]
endloop
mov o1, r0
mov o0, c255
