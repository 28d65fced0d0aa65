; a vs_3_0 colour is not clamped
; c0 = -1 0.5 2 3
; oD0 = -1 0.5 2 3
vs_3_0
dcl_color o0
dcl_position o1
mov o1, c255
mov o0, c0
