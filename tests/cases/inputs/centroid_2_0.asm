; a centroid coordinate set at a covered centre is the set itself
; versions = ps_2_0 ps_2_x
; t0 = 1 2 3 4
; out = 1 2 3 4
ps_2_0
dcl_centroid t0
mov r0, t0
mov oC0, r0
