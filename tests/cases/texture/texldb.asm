; texldb biases the level by the fourth coordinate
; run = exec gpu
; tex0 = grid
; c0 = 0.0625 0.0625 0 0
; t0 = 0.28125 0.78125 0 1
; out = 2 6 1 1
; t0 = 0.28125 0.78125 0 0
; out = 4 12 0 1
ps_3_0
dcl_texcoord v0
dcl vPos.xy
dcl_2d s0
mov r0, vPos.xyxy
mov r1, v0
mad r1.xy, r0, c0, r1
texldb r0, r1, s0
mov oC0, r0
