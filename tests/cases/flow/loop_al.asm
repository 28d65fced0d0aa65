; loop: aL starts at y and steps by z
; versions = vs_2_0 vs_2_x
; i1 = 3 2 2
; c2 = 1 0 0 0
; c4 = 0 1 0 0
; c6 = 0 0 1 0
; out = 1 1 1 0
vs_2_0
mov r0, c9
loop aL, i1
add r0, r0, c[aL]
endloop
mov oT0, r0
