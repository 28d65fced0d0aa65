; _pp asks for less precision and may get all of it
; c0 = 1 2 3 4
; out = 1 4 9 16
; within = 0.01
ps_2_0
mov_pp r0, c0
mul_pp r0, r0, r0
mov oC0, r0
