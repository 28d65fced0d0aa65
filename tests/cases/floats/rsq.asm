; rsq takes the absolute value; 0 gives FLT_MAX
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 4 -16 0 0.25
; out = 0.5 0.25 max 2
ps_2_0
rsq r0.x, c0.x
rsq r0.y, c0.y
rsq r0.z, c0.z
rsq r0.w, c0.w
mov oC0, r0
