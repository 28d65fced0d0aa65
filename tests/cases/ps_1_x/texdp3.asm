; texdp3 is one dot product in every component
; versions = ps_1_2 ps_1_3
; tex0 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 0.5 0.25 0 0
; out = 1
ps_1_2
tex t0
texdp3 t1, t0
mov r0, t1
