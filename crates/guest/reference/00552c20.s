# Surface list: cdecl(out indices, bits, out faces).
routine 00552c20
    push ebx
    push ebp
    push esi
    push edi
    sub esp, 4                      # [esp]: surface count
    mov eax, [0x746F9C]
    mov edx, [eax + 0xF8]
    mov [esp], edx
    mov edx, [eax + 0xFC]
    mov ebp, [esp + 0x18]           # indices
    mov edi, [esp + 0x20]           # the next face
    xor eax, eax                    # faces written
    xor ecx, ecx                    # surface
1:  cmp eax, 0x7FFF
    jge 9f
    cmp ecx, [esp]
    jge 9f
    mov esi, ecx
    sar esi, 5
    mov ebx, [esp + 0x1C]           # bits
    mov ebx, [ebx + esi * 4]
    shr ebx, cl
    test bl, 1
    jz 2f
    lea esi, [ecx + ecx * 2]
    lea esi, [edx + esi * 2]
    mov ebx, [esi]
    mov [edi], ebx
    mov bx, [esi + 4]
    mov [edi + 4], bx
    add edi, 6
    mov [ebp + eax * 4], ecx
    inc eax
2:  inc ecx
    jmp 1b
last_block 00552c20, 192, 8
9:  add esp, 4
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
