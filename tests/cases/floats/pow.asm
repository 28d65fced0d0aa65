; pow takes the absolute value of its base
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 2 -3 4 9
; c1 = 3 2 0.5 -0.5
; out = 8 9 2 0.3333333
; within = 0.0001
ps_2_0
mov r1, c1
pow r0.x, c0.x, r1.x
pow r0.y, c0.y, r1.y
pow r0.z, c0.z, r1.z
pow r0.w, c0.w, r1.w
mov oC0, r0
