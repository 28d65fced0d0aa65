; mad multiplies, then adds
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 2 3 4 5
; c2 = 0.5 0 -1 1
; out = 2.5 6 11 21
vs_1_1
mov r1, c0
mov r2, c1
mad oT0, r1, r2, c2
