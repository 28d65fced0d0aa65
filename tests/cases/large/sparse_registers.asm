; registers far up the file of software vertex processing are packed: real vs_2_0 streams name c3056
; c297 = 1 2 3 4
; c3056 = 10 20 30 40
; c8191 = 100 200 300 400
; oT0 = 111 222 333 444
; versions = vs_1_0 vs_1_1 vs_2_0 vs_2_x vs_2_sw
vs_2_0
mov r0, c297
add r0, r0, c3056
add r0, r0, c8191
mov oT0, r0
