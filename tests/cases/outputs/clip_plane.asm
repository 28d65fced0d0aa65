; a user clip plane cuts off what has a negative distance: the plane times the position in clip space
; run = gpu
; c0 = 1 2 3 4
; clip0 = 0 0 1 -0.25
; oD0 = 1 1 1 1
; clip0 = 0 0 1 -0.75
; killed
; clip0 = 0 0 -1 0.75
; oD0 = 1 1 1 1
; versions = vs_1_1 vs_2_0
vs_1_1
mov oD0, c0
mov oPos, c255
