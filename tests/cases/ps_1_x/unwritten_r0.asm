; r0 never written comes out as 0
; versions = ps_1_1 ps_1_2 ps_1_3 ps_1_4
; out = 0
ps_1_1
nop
