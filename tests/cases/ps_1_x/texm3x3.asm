; texm3x3 hands out the three dot products, alpha 1
; versions = ps_1_2 ps_1_3
; tex0 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 1 0 0 0
; t2 = 0 1 0 0
; t3 = 1 1 5 0
; out = 1 2 3 1
ps_1_2
tex t0
texm3x3pad t1, t0
texm3x3pad t2, t0
texm3x3 t3, t0
mov r0, t3
