; vs_1_1 logp: exponent, mantissa, logarithm of the absolute value, 1
; c0 = 12 0 0 0
; out = 3 1.5 3.5849625 1
; c0 = -0.25 0 0 0
; out = -2 1 -2 1
; c0 = 0 0 0 0
; out = -max 1 -max 1
vs_1_1
logp oT0, c0.x
