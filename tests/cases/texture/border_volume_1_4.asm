; a border of a volume in ps_1_4
; run = gpu msl
; tex0 = volume
; border0 = w 0xff00ff00
; t0 = 0.375 0.125 0.875 0
; out = 1 0 3 1
; t0 = 0.375 0.125 1.5 0
; out = 0 1 0 1
ps_1_4
texld r0, t0.xyz
