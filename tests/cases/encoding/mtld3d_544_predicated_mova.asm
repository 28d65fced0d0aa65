; mtld3d#544: a predicated mova keeps a0 where the predicate is not set
; c0 = 1 2 0 0
; c1 = 10 20 30 40
; c2 = 50 60 70 80
; c10 = 0 1 0 0
; out = 10 20 30 40
; c10 = 1 0 0 0
; out = 50 60 70 80
vs_2_x
mov r0, c10
mova a0.x, c0.x
setp_gt p0, r0.x, r0.y
(p0.x) mova a0.x, c0.y
mov oT0, c[a0.x]
