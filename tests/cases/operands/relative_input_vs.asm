; vs_3_0 v[a0] picks an input; outside the file it reads 0
; v0 = 1 2 3 4
; v1 = 5 6 7 8
; v2 = 1 0 0 0
; out = 5 6 7 8
; v2 = 16 0 0 0
; out = 0
; v2 = -1 0 0 0
; out = 0
vs_3_0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_texcoord o0
dcl_position o1
mov o1, c255
mova a0.x, v2.x
mov o0, v[a0.x]
