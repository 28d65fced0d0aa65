; a value times itself needs no rule: 0 stays 0, infinity infinity
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 inf -inf 3
; out = 0 inf inf 9
ps_2_0
mov r1, c0
mul r0, r1, r1
mov oC0, r0
