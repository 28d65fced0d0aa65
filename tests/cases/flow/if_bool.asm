; if on a boolean constant, with else
; versions = vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; b0 = 1
; out = 1 2 3 4
; b0 = 0
; out = 5 6 7 8
vs_2_0
if b0
mov r0, c0
else
mov r0, c1
endif
mov oT0, r0
