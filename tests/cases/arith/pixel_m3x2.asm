; m3x2: 2 dot products of 3 components with consecutive constants
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; c4 = 1 0 0 10
; c5 = 0 2 0 20
; c6 = 0 0 3 30
; c7 = 1 1 1 1
; out = 1 4 0 0
ps_2_0
mov r1, c0
mov r0, c9
m3x2 r0.xy, r1, c4
mov oC0, r0
