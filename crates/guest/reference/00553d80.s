# Whole gather: stack(out, max, point, radius, box, plane count, planes, visited, cluster
# count, clusters).
# After the pushes [esp+14h]: out, +18h: max, +1Ch: point, +20h: radius, +24h: box, +28h:
# plane count, +2Ch: planes, +30h: visited, +34h: cluster count, +38h: clusters.
# ebx: gathered, ebp: structure bsp.
routine 00553d80
    push ebx
    push ebp
    push esi
    push edi
    push dword ptr [esp + 0x38]     # clusters
    push dword ptr [esp + 0x38]     # cluster count
    push dword ptr [esp + 0x38]     # visited
    push dword ptr [esp + 0x38]     # planes
    push dword ptr [esp + 0x38]     # plane count
    push dword ptr [esp + 0x38]     # box
    push dword ptr [esp + 0x30]     # max
    push dword ptr [esp + 0x30]     # out
    call_to 00553c40, 00553d80
    add esp, 0x20
    mov ebx, eax
    movsx esi, word ptr [esp + 0x18]
    sub esi, ebx                    # room left
    jle 9f
    mov edi, [esp + 0x14]
    lea edi, [edi + ebx * 4]        # where to go on
    mov ebp, [0x746F9C]
    mov eax, [ebp + 0xB4]
    add ebp, 0xC8                   # world bounds
    cmp dword ptr [eax], 0
    jle 1f
    push 1                          # class
    push dword ptr [esp + 0x30]     # planes
    push dword ptr [esp + 0x30]     # plane count
    push dword ptr [esp + 0x30]     # box
    push dword ptr [esp + 0x30]     # radius
    push dword ptr [esp + 0x30]     # point
    push esi
    push edi
    push dword ptr [esp + 0x50]     # visited
    push ebp
    push 0                          # node
    call_to 00553f10, 00553d80
    add esp, 0x2C
    jmp 2f
1:  push dword ptr [esp + 0x2C]     # planes
    push dword ptr [esp + 0x2C]     # plane count
    push dword ptr [esp + 0x2C]     # box
    push esi
    push edi
    push dword ptr [esp + 0x44]     # visited
    push ebp
    mov eax, 0x80000000
    mov ecx, 1
    call_to 005540c0, 00553d80
    add esp, 0x1C
2:  add ebx, eax
    jmp 9f
last_block 00553d80, 400, 7
9:  mov eax, ebx
    pop edi
    pop esi
    pop ebp
    pop ebx
    ret
