; -r_bias is one half less x
; v0 = 0.25 0.5 0.75 1
; out = 0.25 0 -0.25 -0.5
ps_1_4
mov r0, -v0_bias
