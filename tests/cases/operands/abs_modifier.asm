; ps_3_0: _abs before the sign
; c0 = 1 -2 3 -4
; out = -1 -2 3 4
ps_3_0
mov r0.xy, -c0_abs
mov r0.zw, c0_abs
mov oC0, r0
