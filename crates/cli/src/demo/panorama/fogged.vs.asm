; Ground in the fog of its depth: c0-c3 position, c6 the plane that is 0 where fog begins and 1
; where it is whole, c9 ones. Radial fog makes the depth a distance, with the eye in c4.
vs_1_1
dcl_position v0
dcl_color v1
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
mov oD0, v1
dp4 r0.x, v0, c6
add oFog, c9.x, -r0.x
