# Cluster gather: stack(out, max, box, plane count, planes, visited, cluster count, clusters).
# [esp]: cluster, +4: surfaces gathered, +8: subcluster number, +0Ch: cluster number; ebp:
# subcluster, esi: number of its surface.
routine 00553c40
    push ebx
    push ebp
    push esi
    push edi
    sub esp, 16
    mov dword ptr [esp + 4], 0
    mov dword ptr [esp + 12], 0
1:  mov eax, [esp + 12]
    movsx ecx, word ptr [esp + 0x3C] # cluster count
    cmp eax, ecx
    jge 9f
    mov ecx, [esp + 0x40]           # clusters
    movsx eax, word ptr [ecx + eax * 2]
    imul eax, eax, 0x68
    mov ecx, [0x746F9C]
    add eax, [ecx + 0x138]
    mov [esp], eax
    mov dword ptr [esp + 8], 0
2:  mov eax, [esp + 8]
    mov ecx, [esp]
    cmp eax, [ecx + 0x34]
    jge 6f
    mov ebp, [ecx + 0x38]
    imul eax, eax, 0x24
    add ebp, eax
    mov ecx, [esp + 0x2C]           # box
    mov edx, ebp
    call_to 005541b0, 00553c40      # site 1
    test eax, eax
    jz 5f
    mov eax, ebp
    mov ebx, [esp + 0x34]           # planes
    mov edi, [esp + 0x30]           # plane count
    call_to 00554260, 00553c40      # site 2
    test eax, eax
    jz 5f
    xor esi, esi
3:  cmp esi, [ebp + 0x18]
    jge 5f
    mov edi, [esp + 4]
    movsx eax, word ptr [esp + 0x28] # max
    cmp edi, eax
    jge 9f
    mov eax, [ebp + 0x1C]
    mov ecx, [eax + esi * 4]
    bit_of_ecx
    test dword ptr [eax * 4 + 0x7D0394], edx
    jz 4f
    mov ebx, [esp + 0x38]           # visited
    test dword ptr [ebx + eax * 4], edx
    jnz 4f
    or dword ptr [ebx + eax * 4], edx
    mov ebx, [esp + 0x24]           # out
    mov [ebx + edi * 4], ecx
    inc edi
    mov [esp + 4], edi
4:  inc esi
    jmp 3b
5:  inc dword ptr [esp + 8]
    jmp 2b
6:  inc dword ptr [esp + 12]
    jmp 1b
last_block 00553c40, 308, 21
9:  mov eax, [esp + 4]
    mov ecx, [esp + 12]
    movsx edx, word ptr [esp + 0x28]
    add esp, 16
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
