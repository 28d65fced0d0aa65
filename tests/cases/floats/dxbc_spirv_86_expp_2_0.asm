; dxbc-spirv#86: expp after model 1 is the plain power
; versions = vs_2_0 vs_2_x
; c0 = 2.5 0 0 0
; out = 5.656854
; within = 0.0001
vs_2_0
mov r1, c0
expp oT0, r1.x
