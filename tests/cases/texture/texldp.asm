; texldp divides by the fourth coordinate
; versions = ps_2_0 ps_2_x
; tex0 = grid
; t0 = 0.5625 1.5625 0 2
; out = 4 12 0 1
ps_2_0
dcl t0
dcl_2d s0
texldp r0, t0, s0
mov oC0, r0
