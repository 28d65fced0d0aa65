; texld of a volume takes three coordinates
; versions = ps_2_0 ps_2_x
; tex1 = volume
; t0 = 0.375 0.125 0.875 0
; out = 1 0 3 1
ps_2_0
dcl t0
dcl_volume s1
texld r0, t0, s1
mov oC0, r0
