; a point sprite's texture coordinates are 0 to 1 across the point, whatever set is read
; run = gpu msl
; options = point_sprite
; t0 = 9 9 9 9
; t3 = 9 9 9 9
; v0 = 0.25 0 0 0
; out = 0.75 0.5 0 1
; oC1 = 0.5 0.5 0 1
ps_2_0
dcl v0
dcl t0
dcl t3
add r0, t0, v0
mov oC0, r0
mov r1, t3
mov oC1, r1
