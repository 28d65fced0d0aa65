; r0 never written comes out as 0
; out = 0
ps_1_1
nop
