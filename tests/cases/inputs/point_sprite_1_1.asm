; a point sprite in ps_1_1
; run = gpu msl
; options = point_sprite
; t0 = 9 9 9 9
; out = 0.5 0.5 0 1
; versions = ps_1_1 ps_1_2 ps_1_3
ps_1_1
texcoord t0
mov r0, t0
