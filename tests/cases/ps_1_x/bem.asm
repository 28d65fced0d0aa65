; ps_1_4 bem moves xy by the bump matrix of the destination number
; bump0 = 1 2 3 4
; t0 = 10 20 0 0
; t1 = 1 2 0 0
; out = 17 30 0 0
ps_1_4
def c0, 0, 0, 0, 0
texcrd r1.rgb, t0
texcrd r2.rgb, t1
mov r0, c0
bem r0.rg, r1, r2
phase
mov r3, r0
mov r0, c0
mov r0.rg, r3
