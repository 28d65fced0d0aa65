; ps_1_2 cmp
; versions = ps_1_2 ps_1_3
; v0 = 0.6 0.4 0.5 0.5
; out = 1 0 1 1
ps_1_2
def c0, 1, 1, 1, 1
def c1, 0, 0, 0, 0
mov r0, v0_bias
mov r1, c1
cmp r0, r0, c0, r1
