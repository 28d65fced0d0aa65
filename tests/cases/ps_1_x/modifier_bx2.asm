; _bx2 is 2x - 1
; versions = ps_1_1 ps_1_2 ps_1_3
; v0 = 0.25 0.5 0.75 1
; out = -0.5 0 0.5 1
ps_1_1
mov r0, v0_bx2
