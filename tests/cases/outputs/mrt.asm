; ps_2_0 writes several colours
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 1 2 3 4
; oC0 = 1 2 3 4
; oC1 = 4 3 2 1
ps_2_0
def c1, 4, 3, 2, 1
mov r0, c0
mov oC0, r0
mov r1, c1
mov oC1, r1
