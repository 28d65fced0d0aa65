; mtld3d#494: if p0, callnz with a predicate and breakp
; versions = ps_2_x ps_3_0
; i0 = 9 0 0
; c0 = 1 0 0 0
; c1 = 3 0 0 0
; c2 = 100 0 0 0
; out = 104 0 0 0
ps_2_x
mov r0, c9
mov r1, c1
rep i0
add r0, r0, c0
setp_ge p0, r0, r1
breakp p0.x
endrep
if p0.x
add r0, r0, c2
endif
callnz l0, p0.x
callnz l0, !p0.x
mov oC0, r0
ret
label l0
add r0, r0, c0
ret
