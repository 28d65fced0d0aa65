; breakp leaves the loop when the predicate is set, breakp !p0 when it is not
; i0 = 100 0 0
; c0 = 1 0 0 0
; c1 = 4 2 6 0
; out = 4 6 0 0
vs_2_x
mov r0, c9
mov r1, c1
rep i0
add r0, r0, c0
setp_ge p0, r0, r1
breakp p0.x
endrep
rep i0
add r0.y, r0.y, r1.y
setp_lt p0, r0, r1.z
breakp !p0.y
endrep
mov oT0, r0
