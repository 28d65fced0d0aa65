; dxvk#2534: logp in vs_1_1 fills four components with parts
; c0 = 12 0 0 0
; out = 3 1.5 3.5849625 1
vs_1_1
mov r1, c0
logp oT0, r1.x
