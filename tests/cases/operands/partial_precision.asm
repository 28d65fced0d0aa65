; _pp may compute with less, and never must
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; out = 2 4 6 8
ps_2_0
mov r1, c0
add_pp r0, r1, r1
mov oC0, r0
