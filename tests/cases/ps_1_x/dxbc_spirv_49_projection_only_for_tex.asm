; dxbc-spirv#49: D3DTTFF_PROJECTED divides for tex alone, texcoord reads what is there
; versions = ps_1_1 ps_1_2 ps_1_3
; options = projected0
; t0 = 0.25 0.5 0.75 0.5
; out = 0.25 0.5 0.75 1
ps_1_1
texcoord t0
mov r0, t0
