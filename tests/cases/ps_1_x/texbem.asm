; texbem moves its coordinates by the bump matrix times the source
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = grid
; tex1 = grid
; t0 = 0.09375 0.15625 0 1
; t1 = 0.03125 0.03125 0 1
; bump1 = 0.0625 0.25 0.125 0.0625
; out = 5 6 0 1
ps_1_1
tex t0
texbem t1, t0
mov r0, t1
