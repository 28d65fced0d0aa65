; defb gives the condition, ! turns it round
; versions = ps_2_x ps_3_0
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; out = 1 2 7 8
ps_2_x
defb b0, true
mov r0, c9
if b0
mov r0.xy, c0
else
mov r0, c1
endif
if !b0
mov r0, c1
else
mov r0.zw, c1
endif
mov oC0, r0
