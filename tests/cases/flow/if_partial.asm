; components not written in a branch keep their value
; versions = vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; b3 = 1
; out = 1 6 3 8
; b3 = 0
; out = 1 2 3 4
vs_2_0
mov r0, c0
if b3
mov r0.yw, c1
endif
mov oT0, r0
