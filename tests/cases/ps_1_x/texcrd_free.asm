; texcrd does not clamp
; t0 = -3 2 5 4
; out = -3 2 5 0
ps_1_4
def c0, 0, 0, 0, 0
mov r0, c0
texcrd r1.rgb, t0
phase
mov r0.rgb, r1
