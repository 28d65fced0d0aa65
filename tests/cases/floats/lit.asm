; lit gives 1, the diffuse and the specular coefficient, 1
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 0.5 0.5 9 2
; out = 1 0.5 0.25 1
; c0 = 2 3 0 1
; out = 1 2 3 1
vs_1_1
mov r0, c0
lit oT0, r0
