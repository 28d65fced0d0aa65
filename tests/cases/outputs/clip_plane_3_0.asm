; vs_3_0: the fifth and sixth clip planes; either cuts
; run = gpu
; c0 = 1 2 3 4
; clip4 = 0 0 0 1
; clip5 = 0 0 -2 1.5
; oD0 = 1 2 3 4
; clip5 = 0 0 -2 0.5
; killed
; clip5 = 0 0 0 1
; clip4 = 0 0 -4 1
; killed
vs_3_0
dcl_position o0
dcl_color o1
mov o1, c0
mov o0, c255
