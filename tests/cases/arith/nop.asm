; nop does nothing
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; out = 1 2 3 4
ps_2_0
nop
mov r0, c0
nop
mov oC0, r0
