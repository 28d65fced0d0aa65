; with IEEE rules 0 times infinity is NaN
; versions = ps_2_0 ps_2_x ps_3_0
; options = ieee
; c0 = 0 2 0 0
; c1 = inf 3 5 0
; out = nan 6 0 0
ps_2_0
mov r1, c0
mul r0, r1, c1
mov oC0, r0
