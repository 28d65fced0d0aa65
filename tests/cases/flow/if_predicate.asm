; if p0.x takes one component
; versions = ps_2_x ps_3_0
; c0 = 1 5 3 7
; c1 = 4 4 4 4
; out = 5 5 5 5
ps_2_x
mov r0, c0.y
setp_gt p0, c0, c1
if p0.x
mov r0, c1
endif
mov oC0, r0
