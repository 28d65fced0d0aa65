; swizzles pick components lane by lane
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; out = 4 3 2 1
ps_2_0
mov r1.x, c0.w
mov r1.y, c0.z
mov r1.z, c0.y
mov r1.w, c0.x
mov r0, r1
mov oC0, r0
