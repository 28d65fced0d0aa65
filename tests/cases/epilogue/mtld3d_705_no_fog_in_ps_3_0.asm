; ps_3_0 gets no automatic fog
; options = fog_vertex
; fog_color = 1 1 0 0
; c0 = 0 1 1 0.5
; fog = 0.25
; out = 0 1 1 0.5
ps_3_0
mov oC0, c0
