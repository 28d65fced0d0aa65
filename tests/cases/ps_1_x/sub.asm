; sub: the difference of each component
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; v0 = 0.25 0.5 0.75 1
; v1 = 0.5 0.5 0.5 0.5
; out = -0.25 0 0.25 0.5
ps_1_1
sub r0, v0, v1
