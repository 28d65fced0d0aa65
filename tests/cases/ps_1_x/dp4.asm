; dp4: the sum of four products in every component
; versions = ps_1_2 ps_1_3 ps_1_4
; v0 = 0.25 0.5 0.75 1
; v1 = 0.5 0.5 0.5 0.5
; out = 1.25
ps_1_2
dp4 r0, v0, v1
