; a texture read at coordinates from another
; versions = ps_2_0 ps_2_x
; tex0 = grid
; c0 = 0.0625 0.0625 0 0
; c1 = 0.03125 0 0 0
; t0 = 0.28125 0.78125 0 0
; out = 12 4 0 1
ps_2_0
dcl t0
dcl_2d s0
texld r1, t0, s0
mov r2.x, r1.y
mov r2.y, r1.x
mad r2.xy, r2, c0, c1.x
texld r0, r2, s0
mov oC0, r0
