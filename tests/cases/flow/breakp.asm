; breakp leaves the loop when the predicate is set
; i0 = 100 0 0
; c0 = 1 0 0 0
; c1 = 4 0 0 0
; out = 4 0 0 0
ps_3_0
mov r0, c9
rep i0
add r0, r0, c0
setp_ge p0, r0, c1
breakp p0.x
endrep
mov oC0, r0
