; ps_3_0 sincos has one operand
; c0 = 0.5 0 0 0
; out = 0.8775826 0.4794255 0 0
; within = 0.0001
ps_3_0
mov r0, c1
sincos r0.xy, c0.x
mov oC0, r0
