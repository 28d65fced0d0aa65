; vs_3_0: what a linked register asks for and the shader does not write is 0; fog is one number
; c0 = 1 2 3 4
; link2 = tangent.xy binormal5.zw
; link5 = fog3
; linked2 = 1 2 0 0
; linked5 = 3 3 3 3
vs_3_0
dcl_position o0
dcl_tangent o1.xy
dcl_fog3 o4.z
mov o0, c255
mov o1.xy, c0
mov o4.z, c0
