; lit clamps the power to 127.9961: 2^127.9961 is still finite
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 0 200
; c1 = 0 0 1.17549435e-38 0
; out = * * 3.98921 *
; within = 0.01
vs_1_1
mov r0, c0
lit r1, r0
mul oT0, r1, c1
