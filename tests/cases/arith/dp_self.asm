; a dot product with itself
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; out = 30 14 30 14
ps_2_0
mov r1, c0
dp4 r0, r1, r1
dp3 r0.yw, r1, r1
mov oC0, r0
