; vFace is positive on a front face, and points are front faces
; out = 1
ps_3_0
def c0, 1, 2, 0, 0
dcl vFace
mov r0, c0.y
cmp r0, vFace, c0.x, r0
mov oC0, r0
