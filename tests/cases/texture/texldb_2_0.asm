; texldb with a bias of 0 reads the level that texld reads
; versions = ps_2_0 ps_2_x
; tex0 = grid
; t0 = 0.28125 0.78125 0 0
; out = 4 12 0 1
ps_2_0
dcl t0
dcl_2d s0
texldb r0, t0, s0
mov oC0, r0
