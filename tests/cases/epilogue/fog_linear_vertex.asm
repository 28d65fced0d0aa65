; linear table fog by the distance that the vertex function leaves in the fog varying
; versions = ps_2_0 ps_2_x
; options = fog_linear_vertex
; fog_color = 1 1 0 0
; fog_params = 1 5 0.25 0
; c0 = 0 1 1 0.5
; fog = 2
; out = 0.25 1 0.75 0.5
; fog = 0.5
; out = 0 1 1 0.5
; fog = 6
; out = 1 1 0 0.5
ps_2_0
mov r0, c0
mov oC0, r0
