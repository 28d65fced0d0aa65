; texkill tests three components of a register
; t0 = 0 0 0 -1
; out = 0.5
; t0 = 0 0 -1 0
; killed
ps_1_4
def c0, 0.5, 0.5, 0.5, 0.5
texcrd r1.rgb, t0
phase
texkill r1
mov r0, c0
