; exp is 2 to the power
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 3 -1 0 0.5
; out = 8 0.5 1 1.4142135
ps_2_0
exp r0.x, c0.x
exp r0.y, c0.y
exp r0.z, c0.z
exp r0.w, c0.w
mov oC0, r0
