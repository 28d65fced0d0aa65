# Box against a frustum: ECX frustum, EDI box, stack(flag).
# [esp]: x, +4: y, +8: z, +0Ch: corner; ebx: AND of codes, esi: OR, ebp: this corner's code.
routine 0050d5b0
    cmp dword ptr [esp + 4], 0
    je 1f
.irp lo, 0, 8, 16
    jump_above edi, \lo, ecx, 0x128+\lo+4, 8f
    jump_above ecx, 0x128+\lo, edi, \lo+4, 8f
.endr
1:  push ebx
    push esi
    push ebp
    sub esp, 16
    mov dword ptr [esp + 12], 0
    mov ebx, 15
    xor esi, esi
2:  mov eax, [esp + 12]
    and eax, 1
    mov eax, [edi + eax * 4]
    mov [esp], eax
    mov eax, [esp + 12]
    shr eax, 1
    and eax, 1
    mov eax, [edi + eax * 4 + 8]
    mov [esp + 4], eax
    mov eax, [esp + 12]
    shr eax, 2
    and eax, 1
    mov eax, [edi + eax * 4 + 16]
    mov [esp + 8], eax
    xor ebp, ebp
.macro outside bit, d
    fsub dword ptr [ecx + \d]
    fldz
    fcompp
    fnstsw ax
    test ah, 0x41
    jnz 3f
    or ebp, \bit
3:
.endm
    fld dword ptr [esp]
    fmul dword ptr [ecx + 0x78]
    fld dword ptr [esp + 4]
    fmul dword ptr [ecx + 0x7C]
    faddp st(1), st
    fld dword ptr [ecx + 0x80]
    fmul dword ptr [esp + 8]
    faddp st(1), st
    outside 1, 0x84
    fld dword ptr [esp + 4]
    fmul dword ptr [ecx + 0x8C]
    fld dword ptr [esp + 8]
    fmul dword ptr [ecx + 0x90]
    faddp st(1), st
    fld dword ptr [ecx + 0x88]
    fmul dword ptr [esp]
    faddp st(1), st
    outside 2, 0x94
    fld dword ptr [esp + 8]
    fmul dword ptr [ecx + 0xB0]
    fld dword ptr [esp]
    fmul dword ptr [ecx + 0xA8]
    faddp st(1), st
    fld dword ptr [ecx + 0xAC]
    fmul dword ptr [esp + 4]
    faddp st(1), st
    outside 4, 0xB4
    fld dword ptr [esp]
    fmul dword ptr [ecx + 0x98]
    fld dword ptr [esp + 8]
    fmul dword ptr [ecx + 0xA0]
    faddp st(1), st
    fld dword ptr [ecx + 0x9C]
    fmul dword ptr [esp + 4]
    faddp st(1), st
    outside 8, 0xA4
    and ebx, ebp
    or esi, ebp
    inc dword ptr [esp + 12]
    cmp dword ptr [esp + 12], 8
    jne 2b
    mov eax, 0
    test ebx, ebx
    jnz 9f
    mov eax, 2
    test esi, esi
    jz 9f
    mov eax, 1
    jmp 9f
8:  mov eax, 0
    ret
last_block 0050d5b0, 731, 7
9:  add esp, 16
    pop ebp
    pop esi
    pop ebx
    ret
