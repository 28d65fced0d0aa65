; texm3x2depth: the first product over the second is the depth, 1 where it divides by 0
; t0 = 1 0.5 0 0
; t1 = 1 2 0 0
; t2 = 4 8 0 0
; depth = 0.25
; t2 = 0 0 9 9
; depth = 1
ps_1_3
texcoord t0
texm3x2pad t1, t0
texm3x2depth t2, t0
mov r0, v0
