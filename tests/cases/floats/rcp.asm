; rcp is the reciprocal
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 4 -0.5 1 inf
; out = 0.25 -2 1 0
ps_2_0
rcp r0.x, c0.x
rcp r0.y, c0.y
rcp r0.z, c0.z
rcp r0.w, c0.w
mov oC0, r0
