; a t register holds its texel and may be written
; versions = ps_1_1 ps_1_2 ps_1_3
; tex0 = grid
; t0 = 0.28125 0.78125 0 1
; v0 = 0.5 0.5 0.5 0.5
; out = 4.5 12.5 0.5 1.5
ps_1_1
tex t0
add t0, t0, v0
mov r0, t0
