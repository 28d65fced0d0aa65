; a defined 0 is a factor like any other
; versions = ps_2_0 ps_2_x ps_3_0
; c1 = inf nan -inf 5
; out = 0
ps_2_0
def c0, 0, 0, 0, 0
mul r0, c0, c1
mov oC0, r0
