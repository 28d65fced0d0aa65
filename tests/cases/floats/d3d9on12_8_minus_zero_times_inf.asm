; D3D9On12#8: minus 0 times infinity is 0 of either sign, never NaN
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = -0 -0 inf -inf
; c1 = inf -inf -0 -0
; c2 = 1 2 3 4
; out = 1 2 3 4
ps_2_0
mov r1, c0
mov r2, c1
mul r0, r1, r2
add r0, r0, c2
mov oC0, r0
