; ret inside a block is not lowered, and the error names the instruction and its place
; refused = instruction 6 at byte offset 0x38 is not supported: `ret`
vs_2_0
dcl_position v0
mov oPos, v0
call l0
ret
label l0
if b0
ret
endif
ret
