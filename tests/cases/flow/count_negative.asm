; a negative count runs a loop not at all
; i0 = -2 0 1
; c0 = 1 2 3 4
; out = 0
; i0 = 1 0 1
; out = 1 2 3 4
vs_2_0
mov r0, c9
loop aL, i0
add r0, r0, c0
endloop
mov oT0, r0
