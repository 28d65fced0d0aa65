; defb gives the condition, ! turns it round
; versions = vs_2_0 vs_2_x
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; out = 1 6 1 6
vs_2_0
defb b0, true
defb b1, false
if b0
mov r0, c0
else
mov r0, c1
endif
if !b0
mov r0, c0
endif
if !b1
mov r0.yw, c1.xyzy
endif
mov r0.z, c0.x
mov oT0, r0
