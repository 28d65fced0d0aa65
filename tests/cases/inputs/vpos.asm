; vPos: pixel centres are whole numbers
; out = 0 0 5 5
ps_3_0
def c0, 5, 5, 5, 5
dcl vPos.xy
mov r0, c0
mov r0.xy, vPos
mov oC0, r0
