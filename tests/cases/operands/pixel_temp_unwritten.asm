; a temporary that is read before it is written is 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; out = 1 2 3 4
ps_2_0
mov r1, c0
add r0, r1, r5
mov oC0, r0
