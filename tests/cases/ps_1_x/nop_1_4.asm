; nop does nothing
; v0 = 0.25 0.5 0.75 1
; out = 0.25 0.5 0.75 1
ps_1_4
nop
mov r0, v0
