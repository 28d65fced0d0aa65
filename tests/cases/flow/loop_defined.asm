; defi gives the count
; versions = vs_2_0 vs_2_x
; c0 = 1 1 1 1
; out = 3
vs_2_0
defi i0, 3, 0, 0, 0
mov r0, c9
rep i0
add r0, r0, c0
endrep
mov oT0, r0
