; min and max, component by component
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 -2 3 4
; c1 = 2 -3 3 0
; out = 1 -2 3 0
ps_2_0
mov r1, c0
min r0.xw, r1, c1
max r0.yz, r1, c1
mov oC0, r0
