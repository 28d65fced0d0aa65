; oD0 and oD1 are clamped in vs_1_1
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = -1 0.5 2 3
; oD0 = 0 0.5 1 1
; oD1 = 0 0.5 1 1
vs_1_1
mov oD0, c0
mov oD1, c0
