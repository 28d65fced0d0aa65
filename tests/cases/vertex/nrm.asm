; nrm divides by the length of xyz; w is scaled with it
; versions = vs_2_0 vs_2_x
; c0 = 3 0 4 10
; out = 0.6 0 0.8 2
vs_2_0
mov r1, c0
nrm r0, r1
mov oT0, r0
