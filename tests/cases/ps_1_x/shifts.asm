; _x2, _x4, _d2: the result is scaled
; versions = ps_1_1 ps_1_2 ps_1_3
; v0 = 0.25 0.5 0.75 1
; out = 1 2 3 0.5
ps_1_1
mov_x4 r0.rgb, v0
+mov_d2 r0.a, v0
