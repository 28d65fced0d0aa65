; if_lt and nested if_ge on values
; c0 = 1 2 3 0
; c1 = 2 0 0 0
; out = 10
; c1 = 0 0 0 0
; out = 20
; c1 = 3 5 0 0
; out = 30
ps_3_0
def c2, 10, 20, 30, 0
mov r1, c0
mov r0, c2.y
if_lt r1.x, c1.x
mov r0, c2.x
if_ge c1.y, r1.y
mov r0, c2.z
endif
endif
mov oC0, r0
