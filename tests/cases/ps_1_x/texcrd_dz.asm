; _dz divides by the third coordinate before the write mask applies
; t0 = 1 3 2 9
; out = 0.5 1.5 0 0
ps_1_4
def c0, 0, 0, 0, 0
mov r0, c0
texcrd r1.xy, t0_dz.xyz
phase
mov r0.rg, r1
