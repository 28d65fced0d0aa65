; ret inside a block leaves the subroutine, and only it
; c0 = 1 2 3 4
; c1 = 10 0 0 0
; b0 = 1
; out = 11 2 3 4
; b0 = 0
; out = 12 4 6 8
vs_2_0
mov oPos, c255
mov r0, c0
call l0
add r0, r0, c1
mov oT0, r0
ret
label l0
if b0
ret
endif
add r0, r0, c0
ret
