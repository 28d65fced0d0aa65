; a defined number times infinity is infinity
; versions = ps_2_0 ps_2_x ps_3_0
; c1 = inf -inf 2 0
; out = inf -inf 4 0
ps_2_0
def c0, 2, 0, 0, 0
mul r0, c0.x, c1
mov oC0, r0
