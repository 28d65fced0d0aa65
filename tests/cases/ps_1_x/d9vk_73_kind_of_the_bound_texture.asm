; the kind of the bound texture decides how tex samples
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = cube
; t0 = 0 -1 0 1
; out = 3 3 3 1
ps_1_1
tex t0
mov r0, t0
