; vs_2_sw, vs_3_sw: callnz and if take boolean registers past b15
; b100 = 1
; b200 = 0
; c0 = 1 2 3 4
; oT0 = 2 4 6 8
; b200 = 1
; oT0 = 3 6 9 12
; b100 = 0
; oT0 = 2 4 6 8
vs_2_sw
mov r0, c0
callnz l0, b100
if b200
add r0, r0, c0
endif
mov oT0, r0
mov oPos, c255
ret
label l0
add r0, r0, c0
ret
