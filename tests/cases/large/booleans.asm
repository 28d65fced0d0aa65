; software versions: boolean registers go up to b2047, some defined by the shader
; b16 = 1
; b17 = 0
; b2047 = 1
; b15 = 1
; c0 = 1 2 4 8
; out = 15 0 0 0
; b16 = 0
; out = 14 0 0 0
; b2047 = 0
; out = 10 0 0 0
; versions = ps_2_sw ps_3_sw
ps_2_sw
defb b40, true
mov r0, c1
if b16
add r0.x, r0, c0.x
endif
if b2047
add r0.x, r0, c0.z
endif
if b40
add r0.x, r0, c0.y
endif
if b15
add r0.x, r0, c0.w
endif
if b17
add r0, r0, c0
endif
mov oC0, r0
