# Box against planes: EAX box, EBX planes, DI count.
# [esp]: s2, [esp+4]: s1, [esp+8]: s0; cl: corners behind this plane, ch: some corner was
# behind some plane.
routine 00554260
    push ecx
    push edx
    push ebx
    push edi
    sub esp, 12
    mov edx, eax
    movsx edi, di
    xor ecx, ecx
1:  dec edi
    js 4f
    mov cl, 0
.irp x, 0, 4
    fld dword ptr [ebx]
    fmul dword ptr [edx + \x]
    fstp dword ptr [esp + 8]
  .irp y, 8, 12
    fld dword ptr [ebx + 4]
    fmul dword ptr [edx + \y]
    fadd dword ptr [esp + 8]
    fstp dword ptr [esp + 4]
    .irp z, 16, 20
    fld dword ptr [ebx + 8]
    fmul dword ptr [edx + \z]
    fadd dword ptr [esp + 4]
    fstp dword ptr [esp]
    fld dword ptr [ebx + 12]
    fcomp dword ptr [esp]
    fnstsw ax
    test ah, 0x41
    jnz 2f
    inc cl
2:
    .endr
  .endr
.endr
    mov eax, 0
    cmp cl, 8
    je 9f
    add ebx, 16
    test cl, cl
    jz 1b
    mov ch, 1
    jmp 1b
4:  mov eax, 2
    test ch, ch
    jz 9f
    mov eax, 1
    jmp 9f
last_block 00554260, 434, 8
9:  add esp, 12
    pop edi
    pop ebx
    pop edx
    pop ecx
    ret
