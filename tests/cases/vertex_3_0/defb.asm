; defb gives the condition, ! turns it round
; c0 = 1 2 3 4
; c1 = 5 6 7 8
; out = 1 6 1 6
vs_3_0
dcl_position o0
dcl_texcoord o1
defb b0, true
defb b1, false
if b0
mov r0, c0
else
mov r0, c1
endif
if !b0
mov r0, c0
endif
if !b1
mov r0.yw, c1.xyzy
endif
mov r0.z, c0.x
mov o1, r0
mov o0, c255
