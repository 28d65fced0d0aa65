/* Part of ninefold. */
#pragma pack(push, 4)
