; a vertex shader drawn flat writes the same colours
; options = flat
; c0 = 0.25 0.5 0.75 1
; c1 = 0.125 0 0 0
; oD0 = 0.25 0.5 0.75 1
; oD1 = 0.125 0 0 0
; versions = vs_1_1 vs_2_0
vs_1_1
mov oD0, c0
mov oD1, c1
