; ps_1_4 cnd looks at each component
; v0 = 0.6 0.4 0.5 0.51
; out = 1 0 0 1
ps_1_4
def c0, 1, 1, 1, 1
def c1, 0, 0, 0, 0
mov r1, c1
cnd r0, v0, c0, r1
