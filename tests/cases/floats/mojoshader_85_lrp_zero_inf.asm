; MojoShader#85: lrp: a weight of 0 times infinity is 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 0.5 1
; c1 = inf nan 4 6
; c2 = 1 2 2 3
; out = 1 2 3 6
ps_2_0
mov r1, c0
mov r2, c1
lrp r0, r1, r2, c2
mov oC0, r0
