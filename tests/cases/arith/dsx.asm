; dsx and dsy are the differences to the neighbouring pixels
; run = exec gpu
; c0 = 2 3 0 0
; out = 2 3 0 0
ps_3_0
dcl vPos.xy
mov r0, vPos.xyxy
mul r0, r0, c0
mov r1, c9
dsx r1.x, r0.x
dsy r1.y, r0.y
mov oC0, r1
