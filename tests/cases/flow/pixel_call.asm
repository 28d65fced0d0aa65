; call runs a subroutine, callnz only when its boolean is set
; versions = ps_2_x ps_3_0
; c0 = 1 2 3 4
; b0 = 1
; out = 3 6 9 12
; b0 = 0
; out = 2 4 6 8
ps_2_x
mov r0, c9
call l0
call l0
callnz l0, b0
mov oC0, r0
ret
label l0
add r0, r0, c0
ret
