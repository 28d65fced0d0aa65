; cmp takes the second operand where the first is 0 or more, component by component
; v0 = 0.6 0.4 0.5 0.5
; out = 1 0 1 1
ps_1_4
def c0, 1, 1, 1, 1
def c1, 0, 0, 0, 0
mov r1, c1
cmp r0, v0_bias, c0, r1
