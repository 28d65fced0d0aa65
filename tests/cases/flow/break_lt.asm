; break_lt: the loop ends when the first is below
; versions = ps_2_x ps_3_0
; i0 = 3 0 0
; c1 = 2 0 0 0
; c3 = 1 1 1 1
; c0 = 1 0 0 0
; out = 0
; c0 = 2 0 0 0
; out = 3
; c0 = 3 0 0 0
; out = 3
ps_2_x
mov r1, c0
mov r2, c1
mov r0, c9
rep i0
break_lt r1.x, r2.x
add r0, r0, c3
endrep
mov oC0, r0
