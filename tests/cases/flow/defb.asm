; defb states a boolean, whatever the application set
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; b0 = 0
; b1 = 1
; out = 1 2 7 8
vs_2_0
defb b0, true
defb b1, false
mov r0, c1
if b0
mov r0.xy, c0
endif
if b1
mov r0.zw, c0
endif
mov oT0, r0
