; numbers of the shader's own that overflow, or divide by zero, are computed when it runs: WGSL
; refuses constant expressions that are not finite
; c5 = 1 1 1 1
; out = inf -inf inf 0
; versions = ps_2_0 ps_3_0
ps_2_0
def c0, 3e38, -3e38, 1, 0
mov r0, c0
add r1.x, r0.x, c0.x
mul r1.y, c0.x, c0.y
mad r1.z, c0.x, c0.x, c5.x
mul r1.w, c0.w, c0.x
mov oC0, r1
