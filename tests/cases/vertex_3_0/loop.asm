; loop: aL starts at y and steps by z
; i1 = 3 2 2
; c2 = 1 0 0 0
; c4 = 0 1 0 0
; c6 = 0 0 1 0
; out = 1 1 1 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r0, c9
loop aL, i1
add r0, r0, c[aL]
endloop
mov o1, r0
mov o0, c255
