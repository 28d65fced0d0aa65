; vs_2_0 expp is 2 to the power in every component
; versions = vs_2_0 vs_2_x
; c0 = 3 0 0 0
; out = 8
vs_2_0
expp oT0, c0.x
