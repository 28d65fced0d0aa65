; texreg2gb reads at green and blue
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = volume
; tex1 = grid
; t0 = 0.875 0.125 0.875 1
; out = 0 15 0 1
ps_1_1
tex t0
texreg2gb t1, t0
mov r0, t1
