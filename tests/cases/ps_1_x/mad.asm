; mad multiplies, then adds
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; v0 = 0.25 0.5 0.75 1
; v1 = 0.5 0.5 0.5 0.5
; c0 = 0.5 0.25 -1 1
; out = 0.625 0.5 -0.625 1.5
ps_1_1
mad r0, v0, v1, c0
