; texbeml scales the texel by the luminance of the source
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = grid
; tex1 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 0.03125 0.03125 0 1
; bump1 = 0.0625 0.25 0.125 0.0625
; luminance1 = 7 0.5
; out = 2.5 3 0 0.5
ps_1_1
tex t0
texbeml t1, t0
mov r0, t1
