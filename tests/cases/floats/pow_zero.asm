; 0 to the power 0 is 1, 0 to a positive power 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 5 1
; c1 = 0 2 0 7
; out = 1 0 1 1
ps_2_0
mov r1, c1
pow r0.x, c0.x, r1.x
pow r0.y, c0.y, r1.y
pow r0.z, c0.z, r1.z
pow r0.w, c0.w, r1.w
mov oC0, r0
