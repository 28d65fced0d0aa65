; -r negates, also defined constants
; versions = vs_1_1 vs_2_0 vs_2_x
; v0 = 1 -2 3 0
; out = -1 2 -5 0
vs_1_1
dcl_position v0
def c1, 0, 0, 2, 0
add oT0, -v0, -c1
