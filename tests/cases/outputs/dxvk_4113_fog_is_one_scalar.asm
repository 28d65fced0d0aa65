; exp oFog.x writes one scalar, and it is clamped
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 0 0 0
; oFog = 1
; c0 = -1 0 0 0
; oFog = 0.5
vs_1_1
exp oFog.x, c0.x
