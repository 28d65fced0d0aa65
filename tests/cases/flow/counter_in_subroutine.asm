; a subroutine sees the counter of the loop that calls it
; i0 = 2 1 2
; c1 = 1 2 3 4
; c3 = 10 20 30 40
; out = 11 22 33 44
vs_2_0
mov oPos, c255
mov r0, c9
loop aL, i0
call l0
endloop
mov oT0, r0
ret
label l0
add r0, r0, c[aL]
ret
