; break leaves the loop
; versions = ps_2_x ps_3_0
; i0 = 100 0 0
; c0 = 1 0 0 0
; c1 = 4 0 0 0
; out = 5 0 0 0
ps_2_x
mov r0, c9
rep i0
add r0, r0, c0
if_gt r0.x, c1.x
break
endif
endrep
mov oC0, r0
