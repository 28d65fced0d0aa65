; a border under a linear filter fades in over half a texel to each side of the edge
; versions = ps_2_0 ps_2_x
; run = gpu msl
; tex0 = grid
; border0 = uv 0x00000000 linear
; t0 = 0.53125 0.53125 0 0
; out = 8 8 0 1
; t0 = 0.53125 1 0 0
; out = 4 7.5 0 0.5
; t0 = 0.53125 1.015625 0 0
; out = 2 3.75 0 0.25
; t0 = 1 1 0 0
; out = 3.75 3.75 0 0.25
; t0 = 0.53125 1.1 0 0
; out = 0
ps_2_0
dcl t0
dcl_2d s0
texld r0, t0, s0
mov oC0, r0
