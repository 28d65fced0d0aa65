; a colour that the vertex function does not write is white for older shaders only
; versions = ps_3_0
; options = missing0
; out = 0
ps_3_0
dcl_color v0
mov r0, v0
mov oC0, r0
