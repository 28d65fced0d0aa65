; vs_3_0 o[a0] picks an output
; c0 = 1 2 3 4
; c1 = 1 0 0 0
; oT0 = 0
; oT1 = 1 2 3 4
vs_3_0
dcl_texcoord0 o0
dcl_texcoord1 o1
dcl_position o2
mov o2, c255
mov o0, c9
mov o1, c9
mova a0.x, c1.x
mov o[a0.x], c0
