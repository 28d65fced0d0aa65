; ret inside two loops ends the subroutine, and the caller goes on
; versions = ps_2_x ps_3_0
; c0 = 1 0 0 0
; c1 = 3 0 0 0
; c2 = 0 100 0 0
; i0 = 5 0 0 0
; out = 6 200 0 0
ps_2_x
mov r0, c9
call l0
call l0
mov oC0, r0
ret
label l0
mov r1, c9
rep i0
rep i0
add r1, r1, c0
add r0, r0, c0
if_ge r1.x, c1.x
add r0, r0, c2
ret
endif
endrep
endrep
add r0, r0, c2
ret
