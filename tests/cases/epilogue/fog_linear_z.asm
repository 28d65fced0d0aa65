; linear table fog by z: the point is at z = 0.5
; versions = ps_2_0 ps_2_x
; options = fog_linear_z
; fog_color = 1 1 0 0
; fog_params = 0.25 1.25 1 0
; c0 = 0 1 1 0.5
; out = 0.25 1 0.75 0.5
ps_2_0
mov r0, c0
mov oC0, r0
