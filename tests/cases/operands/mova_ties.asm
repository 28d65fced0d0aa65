; mova rounds halves to the even number
; v0 = 0.5 1.5 -0.5 2.5
; c10 = 1 2 3 4
; c12 = 5 6 7 8
; out = 1 6 3 8
vs_2_0
dcl_position v0
mova a0, v0
mov r0, c[a0.x + 10]
mov r0.y, c[a0.y + 10]
mov r0.z, c[a0.z + 10]
mov r0.w, c[a0.w + 10]
mov oT0, r0
