; break leaves the loop
; i0 = 100 0 0
; c0 = 1 0 0 0
; c1 = 4 0 0 0
; out = 5 0 0 0
vs_3_0
dcl_position o0
dcl_texcoord o1
mov r0, c9
rep i0
add r0, r0, c0
if_gt r0.x, c1.x
break
endif
endrep
mov o1, r0
mov o0, c255
