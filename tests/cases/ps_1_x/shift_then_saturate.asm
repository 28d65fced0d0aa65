; the shift comes before _sat
; versions = ps_1_1 ps_1_2 ps_1_3
; v0 = 0.25 0.5 0.75 0.125
; out = 0.5 1 1 0.25
ps_1_1
mov_x2_sat r0, v0
