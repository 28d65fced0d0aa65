; -r_x2 is minus twice (ps_1_4)
; v0 = 0.25 0.5 0.75 1
; out = -0.5 -1 -1.5 -2
ps_1_4
mov r0, -v0_x2
