; the derivatives of what is the same everywhere are 0
; versions = ps_2_x ps_3_0
; c0 = 2 3 0 0
; out = 0
ps_2_x
mov r1, c0
dsx r0, r1
dsy r2, r1
add r0, r0, r2
mov oC0, r0
