; D3DTADDRESS_BORDER on v only: u still clamps
; versions = ps_2_0 ps_2_x
; run = gpu msl
; tex0 = grid
; border0 = v 0xffffffff
; t0 = -3 0.78125 0 0
; out = 0 12 0 1
; t0 = 0.28125 -0.5 0 0
; out = 1
ps_2_0
dcl t0
dcl_2d s0
texld r0, t0, s0
mov oC0, r0
