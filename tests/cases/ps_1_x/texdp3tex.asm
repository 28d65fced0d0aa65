; texdp3tex reads at one dot product
; versions = ps_1_2 ps_1_3
; tex0 = grid
; tex1 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 0.28125 0 0 0
; out = 4 0 0 1
ps_1_2
tex t0
texdp3tex t1, t0
mov r0, t1
