; software versions: integer registers go up to i2047, some defined by the shader
; i16 = 3 0 0
; i2047 = 2 0 0
; i3 = 1 0 0
; c0 = 1 1 1 1
; oT0 = 11 11 11 11
; versions = vs_2_sw
vs_2_sw
defi i100, 5, 0, 0, 0
mov r0, c1
rep i16
add r0, r0, c0
endrep
rep i2047
add r0, r0, c0
endrep
rep i100
add r0, r0, c0
endrep
rep i3
add r0, r0, c0
endrep
mov oT0, r0
