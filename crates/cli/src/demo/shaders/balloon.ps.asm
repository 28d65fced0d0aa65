; cloth * grain * light, twice over, and the highlight on top
ps_1_1
tex t0
tex t1
mul_x2 r0.rgb, t0, v0
+ mov r0.a, t0.a
mul_x2 r0.rgb, r0, t1
add_sat r0.rgb, r0, v1
