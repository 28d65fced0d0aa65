; texm3x2tex reads at two dot products
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = grid
; tex2 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 0.28125 0 0 0
; t2 = 0 0.390625 0 0
; out = 4 12 0 1
ps_1_1
tex t0
texm3x2pad t1, t0
texm3x2tex t2, t0
mov r0, t2
