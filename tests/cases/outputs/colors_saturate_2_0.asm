; oD0 is clamped in vs_2_0
; versions = vs_2_0 vs_2_x
; c0 = -1 0.5 2 3
; oD0 = 0 0.5 1 1
vs_2_0
mov oD0, c0
