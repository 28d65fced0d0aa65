; texm3x3spec reflects the eye vector: 2 (N.E / N.N) N - E
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = grid
; tex3 = cube
; t0 = 0.09375 0.03125 0 1
; t1 = 1 0 0 0
; t2 = 0 0 0 0
; t3 = 1 0 0 0
; c0 = 0 0 1 0
; out = 0 0 0 1
ps_1_1
tex t0
texm3x3pad t1, t0
texm3x3pad t2, t0
texm3x3spec t3, t0, c0
mov r0, t3
