; a relative address whose base lies past c255 means the file of software vertex processing
; run = exec gpu
; c1 = 3 0 0 0
; c303 = 1 2 3 4
; oT0 = 1 2 3 4
vs_1_1
mov a0.x, c1.x
mov oT0, c[a0.x + 300]
