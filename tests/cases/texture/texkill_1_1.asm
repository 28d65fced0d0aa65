; ps_1_1 texkill tests three coordinates
; versions = ps_1_1 ps_1_2 ps_1_3
; t0 = 0 0 0 -1
; out = 0.5
; t0 = 0 0 -1 0
; killed
ps_1_1
def c0, 0.5, 0.5, 0.5, 0.5
texkill t0
mov r0, c0
