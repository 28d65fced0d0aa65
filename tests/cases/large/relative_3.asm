; vs_3_sw: a relative address reaches the whole file; a constant of the shader's own lies in it
; run = exec gpu
; c1 = 6001 0 0 0
; oT0 = 1 2 3 4
; c1 = 6002 0 0 0
; c6002 = 5 6 7 8
; oT0 = 5 6 7 8
vs_3_sw
dcl_position o0
dcl_texcoord o1
def c6001, 1, 2, 3, 4
mov o0, c255
mova a0.y, c1.x
mov o1, c[a0.y]
