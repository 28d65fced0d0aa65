# Box against box: ECX a, EDX b. Flags are those of the last test.
routine 005541b0
.irp lo, 0, 8, 16
    jump_above ecx, \lo, edx, \lo+4, 7f
    jump_above edx, \lo, ecx, \lo+4, 7f
.endr
    jmp 1f
7:  mov eax, 0
    ret
1:
.irp lo, 0, 8, 16
    jump_above ecx, \lo, edx, \lo, 8f
    jump_above edx, \lo+4, ecx, \lo+4, 8f
.endr
    mov eax, 2
    ret
last_block 005541b0, 175, 6
8:  mov eax, 1
    ret
