; the zero rule holds for one, two and three components too
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 0 2
; c1 = inf nan -inf 4
; out = 0 0 0 8
ps_2_0
mov r1, c0
mul r0.x, r1, c1
mul r0.yz, r1, c1
mul r0.w, r1, c1
mov oC0, r0
