; the gradients of a cube have three components
; tex1 = cube
; t0 = 0.25 -1 0.125 0
; c0 = 0.125 0 0 0
; c1 = 0 0 0.125 0
; out = 3 3 3 1
ps_3_0
dcl_texcoord v0
dcl_cube s1
texldd r0, v0, s1, c0, c1
mov oC0, r0
