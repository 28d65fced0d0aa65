; D3DTADDRESS_MIRRORONCE: the coordinate's absolute value is read
; versions = ps_2_0 ps_2_x
; run = gpu msl
; options = mirror_once0
; tex0 = grid
; t0 = -0.28125 0.78125 0 0
; out = 4 12 0 1
; t0 = -0.28125 -3 0 0
; out = 4 15 0 1
ps_2_0
dcl t0
dcl_2d s0
texld r0, t0, s0
mov oC0, r0
