; a colour that the vertex function does not write is white
; versions = ps_2_0 ps_2_x
; options = missing0
; out = 1
ps_2_0
dcl v0
mov r0, v0
mov oC0, r0
