; ps_1_4 texld takes any coordinates and the texture of its own number
; tex2 = grid
; t0 = 0.28125 0.78125 0 1
; out = 4 12 0 1
ps_1_4
texld r2, t0
mov r0, r2
