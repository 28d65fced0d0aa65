; v and t registers carry COLOR and TEXCOORD
; versions = ps_2_0 ps_2_x
; v0 = 0.1 0.2 0.3 0.4
; v1 = 1 1 1 1
; t3 = 10 20 30 40
; out = 11.1 21.2 31.3 41.4
ps_2_0
dcl v0
dcl v1
dcl t3
add r0, v0, v1
add r0, r0, t3
mov oC0, r0
