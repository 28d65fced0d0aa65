; the alpha test compares whole steps of 1/255: 0.5019 is 128/255
; versions = ps_2_0 ps_2_x
; options = alpha_equal
; alpha_ref = 0.50196078
; c0 = 1 2 3 0.5019
; out = 1 2 3 0.5019
; c0 = 1 2 3 0.5
; out = 1 2 3 0.5
; c0 = 1 2 3 0.4999
; killed
ps_2_0
mov r0, c0
mov oC0, r0
