; texdepth: r5.r / r5.g is the depth, 1 where it divides by 0
; t0 = 1 4 0 0
; depth = 0.25
; t0 = 3 4 9 9
; depth = 0.75
; t0 = 1 0 0 0
; depth = 1
ps_1_4
texcrd r5.rgb, t0
phase
texdepth r5
mov r0, v0
