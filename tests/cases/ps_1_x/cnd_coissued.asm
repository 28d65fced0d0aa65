; a co-issued cnd on colours takes the second operand always (before ps_1_4)
; versions = ps_1_1 ps_1_2 ps_1_3
; v0 = 0.1 0.2 0.3 0
; v1 = 0.9 0.8 0.7 1
; out = 0.1 0.2 0.3 1
ps_1_1
mov r0, v0
mov r0.a, v1
+cnd r0.rgb, r0.a, v0, v1
