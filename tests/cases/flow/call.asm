; call runs a subroutine, callnz only when its boolean is set
; versions = vs_2_0 vs_2_x
; c0 = 1 2 3 4
; b0 = 1
; out = 3 6 9 12
; b0 = 0
; out = 2 4 6 8
vs_2_0
mov oPos, c255
mov r0, c9
call l0
call l0
callnz l0, b0
mov oT0, r0
ret
label l0
add r0, r0, c0
ret
