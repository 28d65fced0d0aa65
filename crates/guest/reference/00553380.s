# Node bounds: ECX parent bounds, EDX six bytes, ESI out.
routine 00553380
    sub esp, 8
    mov dword ptr [esp + 4], 0x437E0000     # 254.0
.macro decode_bound k, lo, hi
    movzx eax, byte ptr [edx + \k]
    cmp al, 0xFF
    je 1f
    mov [esp], eax
    fild dword ptr [esp]
    fdiv dword ptr [esp + 4]
    fld dword ptr [ecx + \hi]
    fsub dword ptr [ecx + \lo]
    fmulp st(1), st
    fadd dword ptr [ecx + \lo]
    fstp dword ptr [esi + 4 * \k]
    jmp 2f
1:  mov eax, [ecx + \hi]
    mov [esi + 4 * \k], eax
2:
.endm
    decode_bound 0, 0, 4
    decode_bound 1, 0, 4
    decode_bound 2, 8, 12
    decode_bound 3, 8, 12
    decode_bound 4, 16, 20
    decode_bound 5, 16, 20
    jmp 9f
last_block 00553380, 265, 4
9:  add esp, 8
    ret
