; vs_3_0: the size is the declared psize output
; run = exec msl
; options = point_size
; c0 = 1 2 3 4
; oPts = 3
vs_3_0
dcl_position o0
dcl_psize o3.x
mov o0, c255
mov o3.x, c0.z
