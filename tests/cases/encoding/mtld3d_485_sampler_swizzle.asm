; mtld3d#485: s0.bgra: a sampler operand carries a swizzle
; tex0 = grid
; t0 = 0.28125 0.78125 9 9
; out = 0 12 4 1
ps_3_0
dcl_texcoord v0
dcl_2d s0
texld r0, v0, s0.zyxw
mov oC0, r0
