; callnz on a predicate, straight and inverted
; c0 = 1 2 3 4
; c1 = 2 1 0 0
; out = 2 4 6 8
; c1 = 0 1 0 0
; out = 3 6 9 12
vs_2_x
mov oPos, c255
mov r0, c0
mov r1, c1
setp_lt p0, r1, r1.y
callnz l0, p0.x
callnz l0, !p0.y
mov oT0, r0
ret
label l0
add r0, r0, c0
ret
