; the gradients of a volume have three components
; tex1 = volume
; t0 = 0.375 0.125 0.875 0
; c0 = 0.125 0 0 0
; c1 = 0 0.125 0 0
; out = 1 0 3 1
ps_3_0
dcl_texcoord v0
dcl_volume s1
texldd r0, v0, s1, c0, c1
mov oC0, r0
