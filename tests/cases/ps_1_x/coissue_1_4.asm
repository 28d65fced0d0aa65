; a co-issued pair reads the state before the pair
; v0 = 0.1 0.2 0.3 0.4
; v1 = 0.5 0.6 0.7 0.8
; out = 0.5 0.6 0.7 0.3
ps_1_4
mov r0, v0
mov r0.rgb, v1
+mov r0.a, r0.b
