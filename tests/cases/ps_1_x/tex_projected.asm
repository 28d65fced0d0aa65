; D3DTTFF_PROJECTED divides by the fourth coordinate
; versions = ps_1_1 ps_1_2 ps_1_3
; options = projected0
; tex0 = grid
; t0 = 0.5625 1.5625 0 2
; out = 4 12 0 1
ps_1_1
tex t0
mov r0, t0
