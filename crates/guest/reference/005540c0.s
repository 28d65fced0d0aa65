# Leaf gather: EAX child, CX class, stack(parent, visited, out, max, box, plane count, planes).
# [esp]: the leaf's bounds; ebp: leaf, esi: reference, edi: surfaces gathered.
routine 005540c0
    push ebx
    push ebp
    push esi
    push edi
    sub esp, 0x18
    mov ebx, [0x746F9C]
    mov ebx, [ebx + 0xE4]
    and eax, 0x7FFFFFFF
    shl eax, 4
    lea ebp, [ebx + eax]
    cmp cx, 2
    je 1f
    mov ecx, [esp + 0x2C]           # parent
    mov edx, ebp
    mov esi, esp
    call_to 00553380, 005540c0      # site 1
    mov ecx, [esp + 0x3C]           # box
    mov edx, esp
    call_to 005541b0, 005540c0      # site 2
    test eax, eax
    jz 9f
    mov eax, esp
    mov ebx, [esp + 0x44]           # planes
    mov edi, [esp + 0x40]           # plane count
    call_to 00554260, 005540c0      # site 3
    test eax, eax
    jz 9f
1:  xor edi, edi
    xor esi, esi
2:  movsx eax, word ptr [ebp + 0xA]
    cmp esi, eax
    jge 4f
    movsx eax, word ptr [esp + 0x38] # max
    cmp edi, eax
    jge 4f
    mov eax, [0x746F9C]
    mov eax, [eax + 0xF0]
    mov ecx, [ebp + 0xC]
    add ecx, esi
    mov ecx, [eax + ecx * 8]
    bit_of_ecx
    test dword ptr [eax * 4 + 0x7D0394], edx
    jz 3f
    mov ebx, [esp + 0x30]           # visited
    test dword ptr [ebx + eax * 4], edx
    jnz 3f
    or dword ptr [ebx + eax * 4], edx
    mov ebx, [esp + 0x34]           # out
    mov [ebx + edi * 4], ecx
    inc edi
3:  inc esi
    jmp 2b
4:  mov eax, edi
    mov ecx, esi
    mov edx, ebp
    jmp 9f
last_block 005540c0, 218, 8
9:  add esp, 0x18
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
