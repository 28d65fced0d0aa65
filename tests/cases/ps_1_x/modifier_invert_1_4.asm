; 1-r is the complement
; v0 = 0.25 0.5 0.75 1
; out = 0.75 0.5 0.25 0
ps_1_4
mov r0, 1-v0
