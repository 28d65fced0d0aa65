; defi gives the count of rep
; versions = ps_2_x ps_3_0
; c0 = 1 2 3 4
; out = 3 6 9 12
ps_2_x
defi i0, 3, 0, 0, 0
mov r0, c9
mov r1, c0
rep i0
add r0, r0, r1
endrep
mov oC0, r0
