; D3DTADDRESS_BORDER in the shader: outside the texture the border's colour
; versions = ps_2_0 ps_2_x
; run = gpu msl
; tex0 = grid
; border0 = uv 0x80ff0033
; t0 = 0.28125 0.78125 0 0
; out = 4 12 0 1
; t0 = -0.01 0.78125 0 0
; out = 1 0 0.2 0.5019608
; t0 = 0.28125 1 0 0
; out = 1 0 0.2 0.5019608
; t0 = 0 0.999 0 0
; out = 0 15 0 1
ps_2_0
dcl t0
dcl_2d s0
texld r0, t0, s0
mov oC0, r0
