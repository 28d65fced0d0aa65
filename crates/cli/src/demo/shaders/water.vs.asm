; The lake: positions, two moving sets of ripple coordinates, where the reflection lies, the way to
; the eye, fog.
; c0-c3  view * projection, a row each
; c4     ripple scales: x first, y second
; c5     ripple offsets: xy first, zw second
; c6     eye                    c7  fog: scale, offset
; c8     0.5, -0.5, half a texel of the reflection across and down
vs_2_0
dcl_position v0
dcl_color v1

dp4 r0.x, v0, c0
dp4 r0.y, v0, c1
dp4 r0.z, v0, c2
dp4 r0.w, v0, c3
mov oPos, r0
mad oFog, r0.w, c7.x, c7.y

mul r1.xy, r0, c8
mad r1.xy, r0.w, c8.x, r1
mad r1.xy, r0.w, c8.zwzw, r1
mov r1.zw, r0
mov oT2, r1

mad oT0.xy, v0.xzzz, c4.x, c5
mad oT1.xy, v0.xzzz, c4.y, c5.zwzw
add oT3.xyz, c6, -v0
mov oD0, v1
