; float constants are clamped to -1 to 1
; versions = ps_1_1 ps_1_2 ps_1_3
; c0 = -3 0.5 2 1
; out = -1 0.5 1 1
ps_1_1
mov r0, c0
