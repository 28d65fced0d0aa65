; dxvk PR1432: the reference is the low 8 bits of D3DRS_ALPHAREF over 255: 0x1FF is 1
; versions = ps_2_0 ps_2_x
; options = alpha_greaterequal
; alpha_ref = 1
; c0 = 1 2 3 0.99
; killed
; c0 = 1 2 3 1
; out = 1 2 3 1
ps_2_0
mov r0, c0
mov oC0, r0
