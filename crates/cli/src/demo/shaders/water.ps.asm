; The lake: ripples bend the reflection; more of it shows at grazing angles; the sun glints.
; c0  -1, ripple steepness, 1, bend      c1  fresnel scale, fresnel offset, glint power, 0.04
; c2  colour of deep water               c3  towards the sun
; c4  glint colour
ps_2_0
dcl t0.xy
dcl t1.xy
dcl t2
dcl t3.xyz
dcl v0
dcl_2d s0
dcl_2d s1

texld r0, t0, s0
texld r1, t1, s0
add r0, r0, r1
add r0.xy, r0, c0.x

mul r2.x, r0.x, -c0.y
mov r2.y, c0.z
mul r2.z, r0.y, -c0.y
nrm r3.xyz, r2
nrm r4.xyz, t3

; how much is reflected: (1 - cos)^4
dp3_sat r5.x, r3, r4
add r5.x, c0.z, -r5.x
mul r5.x, r5.x, r5.x
mul r5.x, r5.x, r5.x
mad_sat r5.x, r5.x, c1.x, c1.y

; the picture of the mirrored scene at this place
rcp r6.w, t2.w
mul r6.xy, t2, r6.w
mad r6.xy, r0, c0.w, r6
texld r6, r6, s1
lrp r7.xyz, r5.x, r6, c2

; reflect the view about the ripple and compare with the sun
dp3 r8.x, r3, r4
add r8.x, r8.x, r8.x
mad r8.xyz, r8.x, r3, -r4
dp3_sat r8.x, r8, c3
pow r8.x, r8.x, c1.z
mad r7.xyz, r8.x, c4, r7

; clear at the shore
max r7.w, v0.w, c1.w
mov oC0, r7
