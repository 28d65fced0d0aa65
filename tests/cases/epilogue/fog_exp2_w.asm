; squared exponential table fog by w: e^-(2 * 0.25)^2 is left
; versions = ps_2_0 ps_2_x
; options = fog_exp2_w
; fog_color = 1 1 0 0
; fog_params = 0 0 0 0.25
; c0 = 0 1 1 0.5
; out = 0.2211992 1 0.7788008 0.5
ps_2_0
mov r0, c0
mov oC0, r0
