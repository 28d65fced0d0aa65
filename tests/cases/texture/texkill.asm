; texkill discards where a component is below 0
; versions = ps_2_0 ps_2_x
; c0 = 1 1 1 1
; t0 = 0 0 0 0
; out = 1
; t0 = 1 -0.1 1 1
; killed
; t0 = 1 1 1 -1
; killed
ps_2_0
dcl t0
mov r0, t0
texkill r0
mov r1, c0
mov oC0, r1
