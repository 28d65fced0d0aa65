; D3DRS_SRGBWRITEENABLE in the shader: clamped and encoded, alpha as it is
; versions = ps_2_0 ps_2_x ps_3_0
; run = gpu msl
; options = srgb0
; c0 = 0.5 0.001 2 0.5
; out = 0.7353569 0.01292 1 0.5
; c0 = -1 1 0.0031308 0.1
; out = 0 1 0.0404499 0.1
; within = 0.0001
ps_2_0
mov r0, c0
mov oC0, r0
