; cnd before ps_1_4 looks at r0.a
; versions = ps_1_1 ps_1_2 ps_1_3
; v0 = 0.1 0.2 0.3 0.6
; v1 = 0.9 0.8 0.7 0.5
; out = 0.1 0.2 0.3 0.6
; v0 = 0.1 0.2 0.3 0.5
; out = 0.9 0.8 0.7 0.5
ps_1_1
mov r0, v0
cnd r0, r0.a, v0, v1
