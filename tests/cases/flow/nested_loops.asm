; a loop in a loop; each has its own aL
; versions = vs_2_0 vs_2_x
; i0 = 2 0 1
; i1 = 3 10 1
; c0 = 1 0 0 0
; c1 = 2 0 0 0
; c10 = 0 1 0 0
; c11 = 0 0 1 0
; c12 = 0 0 0 1
; out = 3 2 2 2
vs_2_0
mov r0, c9
loop aL, i0
loop aL, i1
add r0, r0, c[aL]
endloop
add r0, r0, c[aL]
endloop
mov oT0, r0
