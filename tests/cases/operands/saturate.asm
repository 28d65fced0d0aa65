; _sat clamps the result to 0 to 1
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = -1 0.5 2 1
; out = 0 0.5 1 1
ps_2_0
mov_sat r0, c0
mov oC0, r0
