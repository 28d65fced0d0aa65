; abs
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 -2 -0.5 0
; out = 1 2 0.5 0
ps_2_0
abs r0, c0
mov oC0, r0
