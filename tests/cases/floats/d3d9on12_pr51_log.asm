; log is the base 2 logarithm of the absolute value; 0 gives -FLT_MAX
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 8 -0.5 0 1
; out = 3 -1 -max 0
ps_2_0
log r0.x, c0.x
log r0.y, c0.y
log r0.z, c0.z
log r0.w, c0.w
mov oC0, r0
