; The balloons: sun and sky light per vertex, a highlight, the burner's glow from below, fog.
; c0-c3   world * view * projection, a row each
; c4-c6   world rotation, a row each
; c7      towards the sun
; c8      sun colour / 2            c9   sky colour / 2
; c10     glow colour / 2           c11  fog: scale, offset
; c12     0, 0.5, 1, highlight power
; c13     half vector to the sun    c14  highlight colour
; c15     scale of the second texture coordinate
vs_1_1
dcl_position v0
dcl_normal v1
dcl_texcoord v2

dp4 r0.x, v0, c0
dp4 r0.y, v0, c1
dp4 r0.z, v0, c2
dp4 r0.w, v0, c3
mov oPos, r0
mad oFog.x, r0.w, c11.x, c11.y

dp3 r1.x, v1, c4
dp3 r1.y, v1, c5
dp3 r1.z, v1, c6

dp3 r2.x, r1, c7
dp3 r2.y, r1, c13
mov r2.zw, c12.w
lit r3, r2
mad r4.x, r1.y, c12.y, c12.y
mul r5.xyz, c9, r4.x
mad r5.xyz, r3.y, c8, r5
; the burner lights the cloth near the mouth, v = 1
mul r4.y, v2.y, v2.y
mul r4.y, r4.y, r4.y
mad r5.xyz, r4.y, c10, r5
mov r5.w, c12.z
mov oD0, r5
mul oD1, r3.z, c14

mov oT0.xy, v2
mul oT1.xy, v2, c15
