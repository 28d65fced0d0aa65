; _dw divides by the fourth coordinate
; t0 = 1 3 5 4
; out = 0.25 0.75 0 0
ps_1_4
def c0, 0, 0, 0, 0
mov r0, c0
texcrd r1.xy, t0_dw.xyw
phase
mov r0.rg, r1
