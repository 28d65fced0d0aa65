; a minus applies after _bias, _bx2 and _x2
; v0 = 0.25 0.25 0.75 1
; out = 0.25 0.5 -1.5 -1
ps_1_4
mov r1, v0
mov r0.r, -r1_bias
mov r0.g, -r1_bx2
mov r0.b, -r1_x2
mov r0.a, -r1
