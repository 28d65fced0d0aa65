; texld of a cube takes a direction
; versions = ps_2_0 ps_2_x
; tex0 = cube
; t0 = 0.1 -5 0.2 0
; out = 3 3 3 1
; t0 = 2 1 -1 0
; out = 0 0 0 1
; t0 = 0 1 -3 0
; out = 5 5 5 1
ps_2_0
dcl t0
dcl_cube s0
texld r0, t0, s0
mov oC0, r0
