; tex samples with its own number of coordinates and texture
; versions = ps_1_1 ps_1_2 ps_1_3
; tex1 = grid
; t1 = 0.28125 0.78125 0 1
; out = 4 12 0 1
ps_1_1
tex t1
mov r0, t1
