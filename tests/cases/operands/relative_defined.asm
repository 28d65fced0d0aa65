; a defined constant is seen through a relative address
; v0 = 1 0 0 0
; c4 = 9 9 9 9
; out = 1 2 3 4
vs_1_1
def c4, 1, 2, 3, 4
dcl_position v0
mov a0.x, v0.x
mov oT0, c[a0.x + 3]
