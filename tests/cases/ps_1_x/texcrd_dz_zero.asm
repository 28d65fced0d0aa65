; _dz gives 1 where the third coordinate is 0
; t0 = 3 -5 0 9
; out = 1 1 0 0
ps_1_4
def c0, 0, 0, 0, 0
mov r0, c0
texcrd r1.xy, t0_dz.xyz
phase
mov r0.rg, r1
