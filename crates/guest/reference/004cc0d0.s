# Matrix product: cdecl(a, b, out), matrices of 34h bytes.
routine 004cc0d0
    push esi
    push edi
    sub esp, 0x68                   # [esp]: copy of a, [esp+34h]: copy of b
    mov eax, [esp + 0x74]           # a
    mov edx, [esp + 0x78]           # b
    mov edi, [esp + 0x7C]           # out
    cmp edi, eax
    jne 1f
    mov esi, eax
    mov eax, esp
    mov edi, esp
    mov ecx, 13
    rep movsd
    mov edi, [esp + 0x7C]
1:  cmp edi, edx
    jne 2f
    mov esi, edx
    lea edi, [esp + 0x34]
    mov edx, edi
    mov ecx, 13
    rep movsd
    mov edi, [esp + 0x7C]
2:  mov ecx, eax
    mov eax, edi
    fld dword ptr [ecx]
    fmul dword ptr [edx]
    fstp dword ptr [edi]
    # Three vectors; esi and edi walk along b and out.
    lea esi, [edx + 4]
    add edi, 4
3:
.irp i, 4, 8, 12
    fld dword ptr [esi]
    fmul dword ptr [ecx + \i]
    fld dword ptr [esi + 4]
    fmul dword ptr [ecx + \i + 12]
    faddp st(1), st
    fld dword ptr [esi + 8]
    fmul dword ptr [ecx + \i + 24]
    faddp st(1), st
    fstp dword ptr [edi + \i - 4]
.endr
    add esi, 12
    add edi, 12
    lea eax, [edx + 0x28]
    cmp esi, eax
    jne 3b
    mov eax, [esp + 0x7C]
.irp i, 4, 8, 12
    fld dword ptr [esi]
    fmul dword ptr [ecx + \i]
    fld dword ptr [esi + 4]
    fmul dword ptr [ecx + \i + 12]
    faddp st(1), st
    fld dword ptr [esi + 8]
    fmul dword ptr [ecx + \i + 24]
    faddp st(1), st
    fmul dword ptr [ecx]
    fadd dword ptr [ecx + \i + 36]
    fstp dword ptr [edi + \i - 4]
.endr
    jmp 9f
last_block 004cc0d0, 384, 6
9:  add esp, 0x68
    pop edi
    pop esi
    ret
