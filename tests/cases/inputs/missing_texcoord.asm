; a coordinate set that the vertex function does not write is 0
; versions = ps_2_0 ps_2_x
; options = missing2
; out = 0
ps_2_0
dcl t0
mov r0, t0
mov oC0, r0
