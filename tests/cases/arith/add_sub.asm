; add and sub
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; c1 = 10 -20 0.5 0
; out = -9 22 2.5 4
ps_2_0
mov r1, c0
add r2, r1, c1
sub r0, r2, c1
sub r0, r0, c1
mov oC0, r0
