; oDepth takes one number, and the colour is written beside it
; c0 = 0.25 0.5 0.75 1
; depth = 0.75
; out = 0.25 0.5 0.75 1
ps_2_0
mov r0, c0
mov oDepth, r0.z
mov oC0, r0
