; vs_3_0 texldl reads a vertex texture
; tex0 = grid
; c0 = 0.28125 0.78125 0 0
; out = 4 12 0 1
vs_3_0
dcl_2d s0
dcl_texcoord o0
dcl_position o1
mov o1, c255
texldl r0, c0, s0
mov o0, r0
