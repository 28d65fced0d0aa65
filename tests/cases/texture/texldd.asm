; texldd takes its level from gradients
; tex0 = grid
; t0 = 0.28125 0.78125 0 0
; c0 = 0.125 0 0 0
; c1 = 0 0.125 0 0
; out = 2 6 1 1
; c0 = 0.0625 0 0 0
; c1 = 0 0.0625 0 0
; out = 4 12 0 1
ps_3_0
dcl_texcoord v0
dcl_2d s0
texldd r0, v0, s0, c0, c1
mov oC0, r0
