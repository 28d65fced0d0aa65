; texld t0_dz divides by the third coordinate
; tex0 = grid
; t0 = 0.5625 1.5625 2 9
; out = 4 12 0 1
ps_1_4
texld r0, t0_dz.xyz
