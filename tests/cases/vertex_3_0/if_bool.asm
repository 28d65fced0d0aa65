; if on a boolean constant, with else
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; b0 = 1
; out = 1 2 3 4
; b0 = 0
; out = 5 6 7 8
vs_3_0
dcl_position o0
dcl_texcoord o1
if b0
mov r0, c0
else
mov r0, c1
endif
mov o1, r0
mov o0, c255
