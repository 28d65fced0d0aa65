; a shader that writes no size draws points of D3DRS_POINTSIZE
; run = msl
; options = point_size
; size = 7.5
; oPts = 7.5
; versions = vs_1_1 vs_2_0
vs_1_1
mov oPos, c255
