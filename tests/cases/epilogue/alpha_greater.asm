; alpha test, D3DCMP_GREATER: below, at and above the reference
; versions = ps_2_0 ps_2_x
; options = alpha_greater
; alpha_ref = 0.5
; c0 = 1 2 3 0.25
; killed
; c0 = 1 2 3 0.5
; killed
; c0 = 1 2 3 0.75
; out = 1 2 3 0.75
ps_2_0
mov r0, c0
mov oC0, r0
