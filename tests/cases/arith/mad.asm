; mad multiplies and adds
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; c1 = 2 3 4 5
; c2 = 0.5 0 -1 1
; out = 2.5 6 11 21
ps_2_0
mov r1, c0
mov r2, c1
mad r0, r1, r2, c2
mov oC0, r0
