; 0 times infinity is 0, whatever the signs
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 -0 -0
; c1 = inf -inf inf -inf
; out = 0
; c0 = inf -inf inf 2
; c1 = 0 -0 -0 3
; out = 0 0 0 6
ps_2_0
mov r1, c0
mul r0, r1, c1
mov oC0, r0
