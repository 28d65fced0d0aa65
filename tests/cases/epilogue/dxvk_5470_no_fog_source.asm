; dxvk#5470: no fog source at all: the specular alpha that is absent is 0, so all is fog
; versions = ps_2_0 ps_2_x
; options = fog_vertex missing10 missing1
; fog_color = 1 1 0 0
; c0 = 0 1 1 0.5
; out = 1 1 0 0.5
ps_2_0
mov r0, c0
mov oC0, r0
