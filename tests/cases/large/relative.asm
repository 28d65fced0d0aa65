; a relative address reaches the whole file of a software version: 8,192 registers; outside it is 0
; run = exec gpu
; c1 = 4000 0 0 0
; c4007 = 1 2 3 4
; oT0 = 1 2 3 4
; c1 = 8184 0 0 0
; c8191 = 5 6 7 8
; oT0 = 5 6 7 8
; c1 = 8185 0 0 0
; oT0 = 0
; c1 = -8 0 0 0
; oT0 = 0
; c1 = -7 0 0 0
; c0 = 9 10 11 12
; oT0 = 9 10 11 12
; versions = vs_2_sw
vs_2_sw
mova a0.x, c1.x
mov oT0, c[a0.x + 7]
