; vs_3_0: the fog factor is one number, wherever its mask puts it
; c0 = 1 2 3 0.25
; oFog = 0.25
vs_3_0
dcl_fog o0.w
dcl_position o1
mov o1, c255
mov o0, c0
