; sincos: cosine in x, sine in y
; versions = ps_2_0 ps_2_x
; c0 = 0.5 0 0 0
; out = 0.8775826 0.4794255 0 0
; c0 = 0 0 0 0
; out = 1 0 0 0
; c0 = -1.5707963 0 0 0
; out = 0 -1 0 0
; within = 0.0001
ps_2_0
def c1, -1.55009923e-6, -2.17013894e-5, 0.00260416674, 0.00026041668
def c2, -0.020833334, -0.125, 1, 0.5
mov r0, c3
mov r1, c0
sincos r0.xy, r1.x, c1, c2
mov oC0, r0
