; texkill before ps_1_4 tests the coordinates, not what texcoord made of them
; t0 = -1 0.5 0.25 0
; killed
; t0 = 1 0.5 0.25 0
; out = 1 0.5 0.25 1
ps_1_1
texcoord t0
texkill t0
mov r0, t0
