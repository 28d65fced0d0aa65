; break_ge leaves the loop, and what was written before it stays
; i0 = 100 0 0
; c0 = 1 0 0 0
; c1 = 4 0 0 0
; out = 4 0 0 0
ps_3_0
mov r0, c9
rep i0
add r0, r0, c0
break_ge r0.x, c1.x
endrep
mov oC0, r0
