; D3D9On12 PR51: log(0), rsq(0) and rcp(0) never poison a product with 0
; versions = ps_2_0 ps_2_x ps_3_0
; c0 = 0 0 0 0
; c1 = 1 2 3 0
; out = 1 2 3 0
ps_2_0
mov r1, c0
log r2.x, r1.x
rsq r2.y, r1.x
rcp r2.z, r1.x
mov r2.w, r1.x
mad r0, r2, r1, c1
mov oC0, r0
