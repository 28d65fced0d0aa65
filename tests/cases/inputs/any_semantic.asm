; ps_3_0: an input may have any semantic; those without a location of their own come by register
; in0 = 1 2 3 4
; in3 = 5 6 7 8
; in7 = 0.5 0.25 0.125 1
; in9 = -1 -2 -3 -4
; t2 = 10 20 30 40
; out = 16.5 28.25 40.125 53
; oC1 = -1 -2 -3 -4
; versions = ps_3_0 ps_3_sw
ps_3_0
dcl_color7 v0
dcl_texcoord13 v3
dcl_normal3 v7
dcl_position4_centroid v9
dcl_texcoord2 v1
add r0, v0, v3
add r0, r0, v7
add r0, r0, v1
mov oC0, r0
mov oC1, v9
