; software versions: a loop counts by an integer register past i15, start and step too
; i17 = 3 2 4
; c2 = 1 0 0 0
; c6 = 0 1 0 0
; c10 = 0 0 1 0
; out = 1 1 1 0
; run = exec gpu
ps_3_sw
mov r0, c0
loop aL, i17
add r0, r0, c[aL]
endloop
mov oC0, r0
