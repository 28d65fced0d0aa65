; oDepth beside a colour
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0.25 2 3 4
; out = 0.25 2 3 4
; depth = 0.25
ps_2_0
mov r0, c0
mov oC0, r0
mov oDepth, r0.x
