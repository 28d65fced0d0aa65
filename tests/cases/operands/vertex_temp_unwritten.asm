; a temporary that is read before it is written is 0
; versions = vs_1_1 vs_2_0 vs_2_x
; c0 = 1 2 3 4
; out = 1 2 3 4
vs_1_1
mov r1, c0
add oT0, r1, r5
