# Tree gather: stack(node, parent, visited, out, max, point, radius, box, plane count,
# planes, class).
# [esp]: distance, +4: surfaces gathered, +8: bounds; ebx: offset of the child in the
# collision node, esi: collision node, edi: point, ebp: plane.
routine 00553f10
    push ebx
    push ebp
    push esi
    push edi
    sub esp, 0x20
    cmp word ptr [esp + 0x5C], 2    # class
    je 1f
    mov ecx, [esp + 0x38]           # parent
    mov eax, [esp + 0x34]           # node
    mov edx, [0x746F9C]
    lea eax, [eax + eax * 2]
    mov edx, [edx + 0xC0]
    lea edx, [edx + eax * 2]
    lea esi, [esp + 8]
    call_to 00553380, 00553f10      # site 1
    mov ecx, [esp + 0x50]           # box
    mov edx, esi
    call_to 005541b0, 00553f10      # site 2
    test eax, eax
    jz 9f
    mov ebp, eax
    mov eax, esi
    mov ebx, [esp + 0x58]           # planes
    mov edi, [esp + 0x54]           # plane count
    call_to 00554260, 00553f10      # site 3
    test eax, eax
    jz 9f
    and eax, ebp
    cmp eax, 2
    jne 1f
    mov [esp + 0x5C], eax
1:  mov dword ptr [esp + 4], 0
    mov esi, [esp + 0x34]
    mov edi, [esp + 0x48]           # point
    mov eax, [0x746F9C]
    mov eax, [eax + 0xB4]
    lea esi, [esi + esi * 2]
    shl esi, 2
    add esi, [eax + 4]
    mov ebp, [esi]
    and ebp, 0x7FFFFFFF
    shl ebp, 4
    add ebp, [eax + 0x10]
    fld dword ptr [ebp]
    fmul dword ptr [edi]
    fld dword ptr [ebp + 4]
    fmul dword ptr [edi + 4]
    faddp st(1), st
    fld dword ptr [ebp + 8]
    fmul dword ptr [edi + 8]
    faddp st(1), st
    fsub dword ptr [ebp + 12]
    fstp dword ptr [esp]
    mov ebx, 8
    fld dword ptr [esp + 0x4C]      # radius
    fchs
    fcomp dword ptr [esp]
    fnstsw ax
    test ah, 0x41
    jz 4f
2:  mov eax, [esi + ebx]
    cmp eax, -1
    je 4f
    test eax, eax
    jns 3f
    # Every slot of the arguments comes to lie at esp + 58h when its turn comes.
    push dword ptr [esp + 0x58]     # planes
    push dword ptr [esp + 0x58]     # plane count
    push dword ptr [esp + 0x58]     # box
    movsx ecx, word ptr [esp + 0x50]
    sub ecx, [esp + 0x10]
    push ecx                        # room left
    mov ecx, [esp + 0x50]
    mov edx, [esp + 0x14]
    lea ecx, [ecx + edx * 4]
    push ecx                        # where to go on
    push dword ptr [esp + 0x50]     # visited
    lea ecx, [esp + 0x20]
    push ecx                        # bounds
    mov ecx, [esp + 0x78]           # class
    call_to 005540c0, 00553f10      # site 4
    add esp, 0x1C
    jmp 5f
3:  push dword ptr [esp + 0x5C]     # class
    push dword ptr [esp + 0x5C]     # planes
    push dword ptr [esp + 0x5C]     # plane count
    push dword ptr [esp + 0x5C]     # box
    push dword ptr [esp + 0x5C]     # radius
    push dword ptr [esp + 0x5C]     # point
    movsx ecx, word ptr [esp + 0x5C]
    sub ecx, [esp + 0x1C]
    push ecx                        # room left
    mov ecx, [esp + 0x5C]
    mov edx, [esp + 0x20]
    lea ecx, [ecx + edx * 4]
    push ecx                        # where to go on
    push dword ptr [esp + 0x5C]     # visited
    lea ecx, [esp + 0x2C]
    push ecx                        # bounds
    push eax                        # child
    call_to 00553f10, 00553f10      # site 5
    add esp, 0x2C
5:  add [esp + 4], eax
4:  cmp ebx, 4
    je 6f
    mov ebx, 4
    jump_above esp, 0, esp, 0x4C, 6f
    mov ecx, [esp + 4]
    movsx eax, word ptr [esp + 0x44] # max
    cmp ecx, eax
    jl 2b
6:  mov eax, [esp + 4]
    mov ecx, [esp + 0x44]
    mov edx, [esp]
    jmp 9f
last_block 00553f10, 428, 8
9:  add esp, 0x20
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
