; cmp takes the second operand where the first is 0 or more
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 -1 2 -0.5
; c1 = 1 2 3 4
; c2 = 5 6 7 8
; out = 1 6 3 8
ps_2_0
mov r1, c0
mov r2, c1
cmp r0, r1, r2, c2
mov oC0, r0
