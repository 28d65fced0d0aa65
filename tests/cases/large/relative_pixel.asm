; ps_3_sw: aL reaches past c223
; run = exec gpu
; i0 = 1 300 1
; c305 = 1 2 3 4
; out = 1 2 3 4
ps_3_sw
mov r0, c0
loop aL, i0
mov r0, c[aL + 5]
endloop
mov oC0, r0
