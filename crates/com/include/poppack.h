/* Part of ninefold. */
#pragma pack(pop)
