; texkill in a branch discards only there
; c0 = -1 -1 -1 -1
; c1 = 1 0 0 0
; out = 1 0 0 0
; c1 = -1 0 0 0
; killed
ps_3_0
mov r0, c0
if_lt c1.x, c9.x
texkill r0
endif
mov oC0, c1
