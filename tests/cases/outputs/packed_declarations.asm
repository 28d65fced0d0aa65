; vs_3_0: two semantics share one register by mask
; c0 = 1 2 3 4
; oT0 = 1 2 0 0
; oT1 = 0 0 3 4
vs_3_0
dcl_texcoord0 o0.xy
dcl_texcoord1 o0.zw
dcl_position o1
mov o1, c255
mov o0, c0
