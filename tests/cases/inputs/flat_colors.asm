; flat shading takes the colours of the first vertex; other inputs go on being interpolated
; options = flat
; v0 = 0.25 0.5 0.75 1
; v1 = 0.5 0 0 0
; t0 = 1 0 0 0
; out = 0.75 0.5 0.75 1
; oC1 = 1 0 0 0
; versions = ps_2_0 ps_2_x
ps_2_0
dcl v0
dcl v1
dcl t0
add r0, v0, v1
mov oC0, r0
mov r1, t0
mov oC1, r1
