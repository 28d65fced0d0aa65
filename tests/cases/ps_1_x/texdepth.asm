; texdepth: depth is red over green, 1 when green is 0; green past 1 counts as 1
; t0 = 0.25 0.5 0 0
; c0 = 0.5 0.5 0.5 0.5
; out = 0.5
; depth = 0.5
; t0 = 1 0 0 0
; depth = 1
; t0 = 0.5 4 0 0
; depth = 0.5
ps_1_4
texcrd r5.rgb, t0
phase
texdepth r5
mov r0, c0
