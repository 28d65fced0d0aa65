; a target without alpha holds alpha 1; the alpha test sees the shader's own
; versions = ps_2_0 ps_2_x ps_3_0
; run = gpu msl
; options = opaque0 alpha_less
; alpha_ref = 0.5
; c0 = 0.1 0.2 0.3 0.25
; out = 0.1 0.2 0.3 1
; c0 = 0.1 0.2 0.3 0.75
; killed
ps_2_0
mov r0, c0
mov oC0, r0
