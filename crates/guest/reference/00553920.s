# Visible surfaces: cdecl(structure bsp).
# [esp+4]: frustum, +8: subcluster number, +0Ch: record number; esi: record, ebp: cluster,
# edi: subcluster, ebx: number of its surface.
routine 00553920
    push ebx
    push ebp
    push esi
    push edi
    sub esp, 16
    mov dword ptr [esp + 12], 0
1:  mov eax, [esp + 12]
    cmp eax, [0x7D0390]
    jge 9f
    cmp word ptr [0x850394], 0x4000
    jge 9f
    imul esi, eax, 0x1A0
    add esi, 0x7C3390
    lea eax, [esi + 0x14]
    cmp byte ptr [0x724A45], 0
    jne 2f
    cmp dword ptr [0x7C3348], -1
    jne 3f
2:  mov eax, 0x7C3168
3:  mov [esp + 4], eax
    mov ebp, [esp + 0x24]           # structure bsp
    mov ebp, [ebp + 0x138]
    movsx eax, word ptr [esi]
    imul eax, eax, 0x68
    add ebp, eax
    mov dword ptr [esp + 8], 0
4:  mov eax, [esp + 8]
    cmp eax, [ebp + 0x34]
    jge 8f
    cmp word ptr [0x850394], 0x4000
    jge 9f
    mov edi, [ebp + 0x38]
    imul eax, eax, 0x24
    add edi, eax
    xor ebx, ebx
    push 1
    mov ecx, [esp + 8]
    call_to 0050d5b0, 00553920      # site 1
    add esp, 4
    test eax, eax
    jz 7f
5:  cmp ebx, [edi + 0x18]
    jge 7f
    cmp word ptr [0x850394], 0x4000
    jge 9f
    mov eax, [edi + 0x1C]
    mov ecx, [eax + ebx * 4]
    bit_of_ecx
    test dword ptr [eax * 4 + 0x7D0394], edx
    jnz 6f
    or dword ptr [eax * 4 + 0x7D0394], edx
    inc word ptr [0x850394]
6:  inc ebx
    jmp 5b
7:  inc dword ptr [esp + 8]
    jmp 4b
8:  inc dword ptr [esp + 12]
    jmp 1b
last_block 00553920, 322, 23
9:  movsx eax, word ptr [0x850394]
    mov ecx, [esp + 12]
    mov edx, [esp + 0x24]
    add esp, 16
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
