; components that were never written read 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 5 6 7 8
; out = 5 0 0 8
ps_2_0
mov r0.xw, c0
mov oC0, r0
