; ret inside an if ends the program
; versions = vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 10 20 30 40
; b0 = 0
; out = 11 22 33 44
; b0 = 1
; out = 1 2 3 4
vs_2_0
mov oPos, c255
mov r0, c0
mov oT0, r0
if b0
ret
endif
add oT0, r0, c1
ret
