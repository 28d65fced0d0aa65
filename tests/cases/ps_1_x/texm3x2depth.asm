; texm3x2depth: depth is the first dot product over the second, 1 when that is 0
; tex0 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 1 0 0 0
; t2 = 0 2 0 0
; c0 = 0.5 0.5 0.5 0.5
; out = 0.5
; depth = 0.25
; t2 = 0 0 0 0
; depth = 1
ps_1_3
tex t0
texm3x2pad t1, t0
texm3x2depth t2, t0
mov r0, c0
