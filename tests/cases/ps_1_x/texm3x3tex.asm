; texm3x3tex reads a cube at three dot products
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = grid
; tex3 = cube
; t0 = 0.09375 0.15625 0 1
; t1 = 0 0 0 0
; t2 = 0 -3 0 0
; t3 = 1 0 0 0
; out = 3 3 3 1
ps_1_1
tex t0
texm3x3pad t1, t0
texm3x3pad t2, t0
texm3x3tex t3, t0
mov r0, t3
