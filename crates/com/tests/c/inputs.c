/* What reaches a vertex shader: every type of element, streams, offsets, strides, defaults. */
#include "visual.h"

/*
 * vs_2_0
 * dcl_position v0
 * dcl_texcoord v1
 * mov oPos, v0
 * mov oT0, v1
 */
static const DWORD pass[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000005, 0x900F0001, 0x02000001,
    0xC00F0000, 0x90E40000, 0x02000001, 0xE00F0000, 0x90E40001, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * dcl_texcoord v1
 * dcl_texcoord1 v2
 * mov oPos, v0
 * add oT0, v1, v2
 */
static const DWORD pass_two[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000005, 0x900F0001, 0x0200001F,
    0x80010005, 0x900F0002, 0x02000001, 0xC00F0000, 0x90E40000, 0x03000002, 0xE00F0000, 0x90E40001,
    0x90E40002, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * mov oC0, t0
 */
static const DWORD show[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x02000001, 0x800F0800, 0xB0E40000, 0x0000FFFF,
};

#ifdef _WIN32
enum { STRIDE_0_CRASHES = 1 };
#else
enum { STRIDE_0_CRASHES = 0 };
#endif

static IDirect3DSurface9 *floats;

/* Each type as documented: what is absent is 0, and 1 for w; "N" types are normalised. */
static void types(void)
{
    static const float f[4] = { 1.5f, -2, 3, -4 };
    static const short s[4] = { 100, -200, 32767, -32767 };
    static const WORD h[4] = { 0x3C00, 0xC000, 0x3800, 0x4200 };
    static const unsigned char b[4] = { 1, 51, 255, 102 };
    static const DWORD udec = 1023u | 5u << 10 | 512u << 20;
    static const DWORD dec = 511u | 0x201u << 10 | 0u << 20;
    static const struct {
        BYTE type;
        const void *bytes;
        UINT size;
        float want[4];
    } table[] = {
        { D3DDECLTYPE_FLOAT1, f, 4, { 1.5f, 0, 0, 1 } },
        { D3DDECLTYPE_FLOAT2, f, 8, { 1.5f, -2, 0, 1 } },
        { D3DDECLTYPE_FLOAT3, f, 12, { 1.5f, -2, 3, 1 } },
        { D3DDECLTYPE_FLOAT4, f, 16, { 1.5f, -2, 3, -4 } },
        { D3DDECLTYPE_D3DCOLOR, b, 4, { 1, 0.2f, 1 / 255.0f, 0.4f } },
        { D3DDECLTYPE_UBYTE4, b, 4, { 1, 51, 255, 102 } },
        { D3DDECLTYPE_SHORT2, s, 4, { 100, -200, 0, 1 } },
        { D3DDECLTYPE_SHORT4, s, 8, { 100, -200, 32767, -32767 } },
        { D3DDECLTYPE_UBYTE4N, b, 4, { 1 / 255.0f, 0.2f, 1, 0.4f } },
        { D3DDECLTYPE_SHORT2N, s, 4, { 100 / 32767.0f, -200 / 32767.0f, 0, 1 } },
        { D3DDECLTYPE_SHORT4N, s, 8, { 100 / 32767.0f, -200 / 32767.0f, 1, -1 } },
        { D3DDECLTYPE_USHORT2N, s, 4, { 100 / 65535.0f, 65336 / 65535.0f, 0, 1 } },
        { D3DDECLTYPE_USHORT4N, s, 8, { 100 / 65535.0f, 65336 / 65535.0f, 32767 / 65535.0f, 32769 / 65535.0f } },
        { D3DDECLTYPE_UDEC3, &udec, 4, { 1023, 5, 512, 1 } },
        { D3DDECLTYPE_DEC3N, &dec, 4, { 1, -1, 0, 1 } },
        { D3DDECLTYPE_FLOAT16_2, h, 4, { 1, -2, 0, 1 } },
        { D3DDECLTYPE_FLOAT16_4, h, 8, { 1, -2, 0.5f, 3 } },
    };
    /* Bits of D3DCAPS9::DeclTypes by type; other types must work. */
    static const DWORD optional[17] = { [D3DDECLTYPE_UBYTE4] = 1,      [D3DDECLTYPE_UBYTE4N] = 2,
                                        [D3DDECLTYPE_SHORT2N] = 4,     [D3DDECLTYPE_SHORT4N] = 8,
                                        [D3DDECLTYPE_USHORT2N] = 16,   [D3DDECLTYPE_USHORT4N] = 32,
                                        [D3DDECLTYPE_UDEC3] = 64,      [D3DDECLTYPE_DEC3N] = 128,
                                        [D3DDECLTYPE_FLOAT16_2] = 256, [D3DDECLTYPE_FLOAT16_4] = 512 };
    IDirect3DVertexBuffer9 *positions = buffer(corners, sizeof corners);
    D3DCAPS9 caps;
    unsigned i, pass_number;
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    use_vs(pass);
    use_ps(show);
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                         { 1, 4, table[i].type, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                         D3DDECL_END() };
        unsigned char bytes[4 * 24];
        const float *w = table[i].want;
        char what[64];
        IDirect3DVertexBuffer9 *elements_buffer;
        int vertex;
        if ((caps.DeclTypes & optional[table[i].type]) != optional[table[i].type])
            continue;
        memset(bytes, 0x55, sizeof bytes);
        for (vertex = 0; vertex < 4; vertex++)
            memcpy(bytes + 24 * vertex + 8, table[i].bytes, table[i].size);
        elements_buffer = buffer(bytes, sizeof bytes);
        use_declaration(elements);
        stream(0, positions, 0, 12);
        /* The element is at byte 8: 4 of the stream's offset, 4 of its own. */
        for (pass_number = 0; pass_number < 2; pass_number++) {
            /* With stride 0 all vertices read the first one's; wine ends there for most types. */
            if (STRIDE_0_CRASHES && pass_number && table[i].type > D3DDECLTYPE_UBYTE4)
                break;
            stream(1, elements_buffer, 4, pass_number ? 0 : 24);
            draw_streams();
            sprintf(what, "type %d, stride %d", table[i].type, pass_number ? 0 : 24);
            EXPECT_FLOATS(floats, 1, 1, w[0], w[1], w[2], w[3], what);
        }
        stream(1, NULL, 0, 0);
        IDirect3DVertexBuffer9_Release(elements_buffer);
    }
    stream(0, NULL, 0, 0);
    IDirect3DVertexBuffer9_Release(positions);
}

/* Declarations that feed equal shaders from other streams: each draw reads its own. */
static void other_streams(void)
{
    static const float a[4] = { 1, 2, 3, 4 }, b[4] = { 10, 20, 30, 40 };
    IDirect3DVertexBuffer9 *positions = buffer(corners, sizeof corners), *first = buffer(a, sizeof a),
                           *second = buffer(b, sizeof b);
    int turn;
    use_vs(pass);
    stream(0, positions, 0, 12);
    stream(1, first, 0, 0);
    stream(2, second, 0, 0);
    for (turn = 0; turn < 2; turn++) {
        D3DVERTEXELEMENT9 none[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 }, D3DDECL_END() };
        D3DVERTEXELEMENT9 from_1[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                       { 1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                       D3DDECL_END() };
        D3DVERTEXELEMENT9 from_2[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                       { 2, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                       D3DDECL_END() };
        use_declaration(none);
        draw_streams();
        use_declaration(from_1);
        draw_streams();
        EXPECT_FLOATS(floats, 1, 1, 1, 2, 3, 4, "from stream 1");
        use_declaration(from_2);
        draw_streams();
        EXPECT_FLOATS(floats, 1, 1, 10, 20, 30, 40, "from stream 2");
    }
    {
        D3DVERTEXELEMENT9 both[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                     { 2, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                     { 1, 4, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_TEXCOORD, 1 },
                                     D3DDECL_END() };
        use_vs(pass_two);
        use_declaration(both);
        draw_streams();
        EXPECT_FLOATS(floats, 1, 1, 12, 23, 4, 2, "two streams added");
        /* Two usages may read the same bytes. */
        both[2].Stream = 2;
        both[2].Offset = 0;
        use_declaration(both);
        draw_streams();
        EXPECT_FLOATS(floats, 1, 1, 20, 40, 30, 2, "one stream twice");
    }
    stream(0, NULL, 0, 0);
    stream(1, NULL, 0, 0);
    stream(2, NULL, 0, 0);
    IDirect3DVertexBuffer9_Release(positions);
    IDirect3DVertexBuffer9_Release(first);
    IDirect3DVertexBuffer9_Release(second);
}

int main(void)
{
    start();
    floats = make_target(4, 4, D3DFMT_A32B32G32R32F);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    target(0, floats);
    types();
    other_streams();
    back_buffer_target();
    IDirect3DSurface9_Release(floats);
    use_vs(NULL);
    use_ps(NULL);
    return stop("inputs");
}
