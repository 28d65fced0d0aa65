; rep runs its body i#.x times
; versions = vs_2_0 vs_2_x
; i0 = 5 0 0
; c0 = 1 2 3 4
; out = 5 10 15 20
; i0 = 0 0 0
; out = 0
vs_2_0
mov r0, c9
rep i0
add r0, r0, c0
endrep
mov oT0, r0
