; without dcl v0-v15 are attributes all the same
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 1 2 3 4
; v3 = 10 20 30 40
; out = 11 22 33 44
vs_1_1
mov r0, v0
add oT0, r0, v3
