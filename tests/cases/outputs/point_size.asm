; oPts is the point size and no varying
; versions = vs_1_1 vs_2_0 vs_2_x
; options = point_size
; c0 = 1 2 3 4
; c1 = 1 0 0 0
; out = 1 2 3 4
vs_1_1
mov oPts.x, c1.x
mov oT0, c0
