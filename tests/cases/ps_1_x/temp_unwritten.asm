; a temporary that is read before it is written is 0
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; c0 = 1 0.5 0.25 0
; out = 1 0.5 0.25 0
ps_1_1
add r0, r1, c0
