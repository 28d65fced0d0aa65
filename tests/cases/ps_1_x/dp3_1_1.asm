; dp3 fills colour and alpha; lrp, mad, mul
; versions = ps_1_1 ps_1_2 ps_1_3
; v0 = 0.5 0.25 1 0
; out = 0.5
ps_1_1
def c0, 0.5, 1, 0, 0
dp3 r0, v0, c0
