; vs_2_0 logp is the logarithm in every component
; versions = vs_2_0 vs_2_x
; c0 = -8 0 0 0
; out = 3
vs_2_0
logp oT0, c0.x
