; call runs a subroutine, callnz only when its boolean is set
; c0 = 1 2 3 4
; b0 = 1
; out = 3 6 9 12
; b0 = 0
; out = 3 6 9 12
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r0, c9
call l0
call l0
callnz l0, b0
callnz l0, !b0
mov o1, r0
mov o0, c255
ret
label l0
add r0, r0, c0
ret
