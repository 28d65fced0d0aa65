; if_gt: the block runs when the first is above
; versions = ps_2_x ps_3_0
; c1 = 2 0 0 0
; c3 = 1 1 1 1
; c0 = 1 0 0 0
; out = 0
; c0 = 2 0 0 0
; out = 0
; c0 = 3 0 0 0
; out = 1
ps_2_x
mov r1, c0
mov r2, c1
mov r0, c9
if_gt r1.x, r2.x
mov r0, c3
endif
mov oC0, r0
