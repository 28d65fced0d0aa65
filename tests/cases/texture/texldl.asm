; texldl takes the level from the fourth coordinate
; tex0 = grid
; t0 = 0.28125 0.78125 0 1
; out = 2 6 1 1
; t0 = 0.28125 0.78125 0 0
; out = 4 12 0 1
ps_3_0
dcl_texcoord v0
dcl_2d s0
texldl r0, v0, s0
mov oC0, r0
