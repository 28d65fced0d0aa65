; a texture register that no texture instruction wrote holds its coordinates
; t1 = 0.5 2 -3 4
; out = 0.5 2 -3 4
ps_1_1
mov r0, t1
