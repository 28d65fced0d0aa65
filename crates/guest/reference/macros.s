# Shared by the routines of the reference image. Each routine is a block of its own that is
# placed at its address later, so calls between routines are written as differences of
# addresses. Intel syntax, 32-bit code.

.code32

# Begins the routine at \address.
.macro routine address
    .globl ninefold_reference_\address
ninefold_reference_\address:
.endm

# Fills up with CCh so that a last block of \length bytes ends the routine at \size bytes.
.macro last_block address, size, length
    .org ninefold_reference_\address + \size - \length, 0xCC
.endm

# call \target, from the routine at \address
.macro call_to target, address
    .byte 0xE8
    .long 0x\target - 0x\address + (ninefold_reference_\address - 77f)
77:
.endm

# Jumps to \label if the float at [\x + \i] is above the one at [\y + \j].
.macro jump_above x, i, y, j, label
    fld dword ptr [\x + \i]
    fcomp dword ptr [\y + \j]
    fnstsw ax
    test ah, 0x41
    jz \label
.endm

# Which double word of a bitset, in eax, and which bit of it, in edx, belong to the index in
# ecx.
.macro bit_of_ecx
    mov eax, ecx
    sar eax, 5
    mov edx, 1
    shl edx, cl
.endm
