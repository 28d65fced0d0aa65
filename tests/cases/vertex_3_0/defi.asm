; defi gives the count of rep
; c0 = 1 2 3 4
; out = 3 6 9 12
vs_3_0
dcl_position o0
dcl_texcoord o1
defi i0, 3, 0, 0, 0
mov r0, c9
mov r1, c0
rep i0
add r0, r0, r1
endrep
mov o1, r0
mov o0, c255
