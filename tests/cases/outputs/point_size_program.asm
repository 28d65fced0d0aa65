; oPts is the point's size; its write mask has one component
; run = exec msl
; options = point_size
; c0 = 1 2 3 4
; size = 9
; oPts = 2
; versions = vs_1_1 vs_2_0
vs_1_1
mov oPts.x, c0.y
mov oPos, c255
