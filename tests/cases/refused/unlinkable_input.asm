; a semantic that no varying carries is named
; refused = no varying carries color7
ps_3_0
dcl_color7 v0
mov oC0, v0
