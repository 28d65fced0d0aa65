# Material walk: ECX list, AX count, stack(on lightmap, on material, on surfaces, on done,
# context).
# [esp]: start, +4: material number, +8: lightmap number, +0Ch: lit, +10h: pos, +14h: n.
# ebx: list, ebp: structure bsp, esi: lightmap, edi: material.
routine 00552de0
    push ebx
    push ebp
    push esi
    push edi
    sub esp, 0x18
    mov ebx, ecx
    movsx eax, ax
    mov [esp + 0x14], eax
    mov dword ptr [esp + 0x10], 0
    mov ebp, [0x746F9C]
    mov dword ptr [esp + 8], 0
lightmaps_552de0:
    mov eax, [esp + 8]
    cmp eax, [ebp + 0x104]
    jge end_552de0
    mov esi, [ebp + 0x108]
    shl eax, 5
    add esi, eax
    mov dword ptr [esp + 0xC], 0
    mov dword ptr [esp + 4], 0
materials_552de0:
    mov eax, [esp + 4]
    cmp eax, [esi + 0x14]
    jge done_552de0
    mov edi, [esi + 0x18]
    shl eax, 8
    add edi, eax
    mov eax, [esp + 0x10]
    mov [esp], eax
1:  mov eax, [esp + 0x10]
    cmp eax, [esp + 0x14]
    jge 2f
    mov ecx, [ebx + eax * 4]
    sub ecx, [edi + 0x14]
    cmp ecx, [edi + 0x18]
    jae 2f
    inc eax
    mov [esp + 0x10], eax
    jmp 1b
2:  mov eax, [esp + 0x10]
    cmp eax, [esp]
    je next_material_552de0
    cmp dword ptr [esp + 0xC], 0
    jne 3f
    mov dword ptr [esp + 0xC], 1
    mov eax, [esp + 0x2C]           # on lightmap
    test eax, eax
    jz 3f
    push esi
    push dword ptr [esp + 0x40]     # context
    call eax                        # site 1
    add esp, 8
3:  mov eax, [esp + 0x30]           # on material
    test eax, eax
    jz 4f
    push edi
    push dword ptr [esp + 0x40]
    call eax                        # site 2
    add esp, 8
4:  mov eax, [esp + 0x34]           # on surfaces
    test eax, eax
    jz next_material_552de0
    mov ecx, [esp]
    mov edx, [esp + 0x10]
    sub edx, ecx
    lea ecx, [ebx + ecx * 4]
    push edx
    push ecx
    push dword ptr [esp + 0x44]
    call eax                        # site 3
    add esp, 12
next_material_552de0:
    inc dword ptr [esp + 4]
    jmp materials_552de0
done_552de0:
    cmp dword ptr [esp + 0xC], 0
    je 5f
    mov eax, [esp + 0x38]           # on done
    test eax, eax
    jz 5f
    push esi
    push dword ptr [esp + 0x40]
    call eax                        # site 4
    add esp, 8
5:  inc dword ptr [esp + 8]
    jmp lightmaps_552de0
last_block 00552de0, 629, 20
end_552de0:
    mov eax, [esp + 0x10]
    mov ecx, [esp + 0x14]
    mov edx, [esp + 0x3C]
    add esp, 0x18
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
