; the second phase reads textures at computed coordinates
; tex0 = grid
; t0 = 0.125 0.625 0 1
; out = 4 12 0 1
ps_1_4
def c0, 0.15625, 0.15625, 0, 0
texcrd r0.rgb, t0
add r0.rgb, r0, c0
phase
texld r0, r0
