; nrm divides by the length of xyz; w is scaled with it
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 3 0 4 10
; out = 0.6 0 0.8 2
; c0 = 0 -2 0 1
; out = 0 -1 0 0.5
ps_2_0
mov r1, c0
nrm r0, r1
mov oC0, r0
