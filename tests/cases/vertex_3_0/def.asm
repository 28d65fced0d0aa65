; a defined constant
; out = 1 -2 3 0.5
vs_3_0
dcl_position o0
dcl_texcoord o1
def c1, 1, -2, 3, 0.5
mov o1, c1
mov o0, c255
