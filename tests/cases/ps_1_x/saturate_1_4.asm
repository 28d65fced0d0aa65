; _sat clamps after the shift
; v0 = 0.25 0.5 0.75 1
; out = 0.5 1 1 1
ps_1_4
mov_x2_sat r0, v0
