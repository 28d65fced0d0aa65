; vs_1_1 expp: power of the whole part, fraction, power, 1
; c0 = 2.5 0 0 0
; out = 4 0.5 5.6568542 1
; c0 = -1.25 0 0 0
; out = 0.25 0.75 0.4204482 1
vs_1_1
expp oT0, c0.x
