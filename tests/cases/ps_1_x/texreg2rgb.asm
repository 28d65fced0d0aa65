; texreg2rgb reads at red, green and blue
; versions = ps_1_2 ps_1_3
; tex0 = grid
; tex1 = grid
; t0 = 0.03125 0.09375 0 1
; out = 0 15 0 1
ps_1_2
tex t0
texreg2rgb t1, t0
mov r0, t1
