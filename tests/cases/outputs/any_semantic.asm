; vs_3_0: an output of any semantic reaches the register of the pixel shader that declares it
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; link0 = color7
; link3 = texcoord13.xy normal3.zw
; link9 = position
; linked0 = 1 2 3 4
; linked3 = 5 6 3 4
; linked9 = 0 0 0.5 1
; oT1 = 5 6 7 8
; versions = vs_3_0 vs_3_sw
vs_3_0
dcl_position o0
dcl_color7 o1
dcl_texcoord13 o2
dcl_normal3 o3
dcl_texcoord1 o11
mov o0, c255
mov o1, c0
mov o2.xy, c1
mov o2.zw, c0
mov o3, c0
mov o11, c1
