; ps_1_4 texkill tests three components of a register
; t0 = 0 0.5 1 0
; out = 0.25
; t0 = 0 0.5 -1 0
; killed
ps_1_4
def c0, 0.25, 0.25, 0.25, 0.25
texcrd r1.rgb, t0
phase
texkill r1
mov r0, c0
