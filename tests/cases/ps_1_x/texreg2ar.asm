; texreg2ar reads at alpha and red
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = volume
; tex1 = grid
; t0 = 0.125 0.125 0.125 1
; out = 15 0 0 1
ps_1_1
tex t0
texreg2ar t1, t0
mov r0, t1
