; vs_2_0 mova rounds to the nearest whole number
; versions = vs_2_0 vs_2_x
; v0 = 1.6 2.4 0 0
; c2 = 1 2 3 4
; c12 = 5 6 7 8
; out = 1 2 7 8
vs_2_0
dcl_position v0
mova a0.xy, v0
mov r0, c[a0.x]
mov r0.zw, c[a0.y + 10]
mov oT0, r0
