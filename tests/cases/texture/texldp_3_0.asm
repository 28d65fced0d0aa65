; texldp divides by the fourth coordinate
; tex0 = grid
; t0 = 0.5625 1.5625 0 2
; out = 4 12 0 1
ps_3_0
dcl_texcoord v0
dcl_2d s0
texldp r0, v0, s0
mov oC0, r0
