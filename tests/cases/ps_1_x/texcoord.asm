; texcoord clamps the coordinates and sets alpha to 1
; versions = ps_1_1 ps_1_2 ps_1_3
; t0 = -1 0.5 2 0
; out = 0 0.5 1 1
ps_1_1
texcoord t0
mov r0, t0
