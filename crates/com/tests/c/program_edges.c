/* Programs where drivers slip: channels that change places, inputs that nothing feeds, vertices that overlap,
 * instances. */
#include "visual.h"

/*
 * vs_2_0
 * dcl_position v0
 * dcl_texcoord v1
 * dcl_color v2
 * mov oPos, v0
 * mov oT0, v1
 * mov oD0, v2
 */
static const DWORD pass[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000005, 0x900F0001, 0x0200001F,
    0x8000000A, 0x900F0002, 0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xE00F0000, 0x90E40001,
    0x02000001, 0xD00F0000, 0x90E40002, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * dcl_normal v1
 * mov oPos, v0
 * mov oT0, v1
 */
static const DWORD normal[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000003, 0x900F0001, 0x02000001,
    0xC00F0000, 0x90E40000, 0x02000001, 0xE00F0000, 0x90E40001, 0x0000FFFF,
};

/*
 * vs_3_0
 * dcl_position v0
 * dcl_color v1
 * dcl_position o0
 * dcl_texcoord o1
 * mov o0, v0
 * mov o1, v1
 */
static const DWORD color[] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001, 0x0200001F,
    0x80000000, 0xE00F0000, 0x0200001F, 0x80000005, 0xE00F0001, 0x02000001, 0xE00F0000, 0x90E40000,
    0x02000001, 0xE00F0001, 0x90E40001, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * dcl_texcoord v1
 * dcl_texcoord1 v2
 * add oPos, v0, v2
 * mov oT0, v1
 */
static const DWORD placed[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000005, 0x900F0001, 0x0200001F,
    0x80010005, 0x900F0002, 0x03000002, 0xC00F0000, 0x90E40000, 0x90E40002, 0x02000001, 0xE00F0000,
    0x90E40001, 0x0000FFFF,
};

/*
 * ps_2_x
 * dcl t0
 * dcl_2d s0
 * texld r0, t0, s0
 * mov r0, r0.wzyx
 * mov oC0, r0
 */
static const DWORD texel_wzyx[] = {
    0xFFFF0201, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0000, 0x801B0000, 0x02000001, 0x800F0800,
    0x80E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * tex t0
 * mov r0.xyz, t0
 * +mov r0.w, t0.z
 */
static const DWORD texel_xyzz[] = {
    0xFFFF0101, 0x00000042, 0xB00F0000, 0x00000001, 0x80070000, 0xB0E40000, 0x40000001, 0x80080000,
    0xB0AA0000, 0x0000FFFF,
};

/*
 * ps_2_x
 * dcl t0
 * dcl_2d s0
 * texld r0, t0, s0
 * mov r0.x, r0.y
 * mov oC0, r0
 */
static const DWORD texel_y[] = {
    0xFFFF0201, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x80010000, 0x80550000, 0x02000001, 0x800F0800,
    0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_x
 * dcl t0
 * mov r0, t0.zxyw
 * mov oC0, r0
 */
static const DWORD coordinate_zxyw[] = {
    0xFFFF0201, 0x0200001F, 0x80000000, 0xB00F0000, 0x02000001, 0x800F0000, 0xB0D20000, 0x02000001,
    0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_x
 * def c0, 0.5, 0.5, 0.5, 0.5
 * dcl v0
 * mul r0, v0.zyxw, c0
 * mov oC0, r0
 */
static const DWORD color_halved_zyxw[] = {
    0xFFFF0201, 0x05000051, 0xA00F0000, 0x3F000000, 0x3F000000, 0x3F000000, 0x3F000000, 0x0200001F,
    0x80000000, 0x900F0000, 0x03000005, 0x800F0000, 0x90C60000, 0xA0E40000, 0x02000001, 0x800F0800,
    0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * mov oC0, t0
 */
static const DWORD show[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x02000001, 0x800F0800, 0xB0E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord v0
 * mov oC0, v0
 */
static const DWORD show_3[] = {
    0xFFFF0300, 0x0200001F, 0x80000005, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

static const D3DVERTEXELEMENT9 position_only[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                   D3DDECL_END() };

static IDirect3DSurface9 *floats;

/* Channels that change places on their way to a target of 8 bits. */
static void swizzles(void)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                  { 0, 12, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                                  { 0, 12, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_COLOR, 0 },
                                                  D3DDECL_END() };
    static const struct {
        const char *name;
        const DWORD *shader;
        DWORD want;
    } table[] = {
        { "texel.wzyx", texel_wzyx, 0xFF802040 },
        { "texel.xyz and its z", texel_xyzz, 0x20FF4020 },
        { "texel.yyzw", texel_y, 0x80404020 },
        { "t0.zxyw", coordinate_zxyw, 0xFFBF4080 },
        { "v0.zyxw / 2", color_halved_zyxw, 0x80604020 },
    };
    IDirect3DTexture9 *texture = make_texture(device, 1, 1, &(DWORD){ 0x80FF4020 });
    float quad[4][7];
    unsigned i;
    for (i = 0; i < 4; i++) {
        const float more[4] = { 0.25f, 0.5f, 0.75f, 1 };
        memcpy(quad[i], corners + 3 * i, 12);
        memcpy(quad[i] + 3, more, sizeof more);
    }
    back_buffer_target();
    use_declaration(elements);
    use_vs(pass);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        DWORD got;
        use_ps(table[i].shader);
        clear_target(0xFF123456);
        draw_up(D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]);
        got = pixel(device, 10, 10);
        CHECK(close_to(got, table[i].want, 1), "%s: %08x, not %08x", table[i].name, (unsigned)got,
              (unsigned)table[i].want);
    }
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(texture);
}

/* What the declaration lacks, and what comes from an empty stream, is zero in every component. */
static void nothing_there(void)
{
    D3DVERTEXELEMENT9 unbound[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                    { 3, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_NORMAL, 0 },
                                    { 3, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0 },
                                    D3DDECL_END() };
    IDirect3DVertexBuffer9 *positions = buffer(corners, sizeof corners);
    int i;
    target(0, floats);
    stream(0, positions, 0, 12);
    for (i = 0; i < 2; i++) {
        use_declaration(i ? unbound : position_only);
        use_vs(normal);
        use_ps(show);
        draw_streams();
        EXPECT_FLOATS(floats, 1, 1, 0, 0, 0, 0, i ? "normal from an empty stream" : "no normal");
        use_vs(color);
        use_ps(show_3);
        draw_streams();
        EXPECT_FLOATS(floats, 1, 1, 0, 0, 0, 0, i ? "color from an empty stream" : "no color");
    }
    stream(0, NULL, 0, 0);
    IDirect3DVertexBuffer9_Release(positions);
}

/* Four floats from each vertex's start on, with strides that are shorter, longer than any element, and past what
 * GPUs step by. Vertex n starts at number n * stride / 4 + 1. */
static void strides(void)
{
    enum { NUMBERS = 4096 };
    static const UINT table[] = { 4, 8, 12, 16, 20, 2048, 3000, 4096 };
    D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                     { 1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_NORMAL, 0 },
                                     D3DDECL_END() };
    IDirect3DVertexBuffer9 *positions = buffer(corners, sizeof corners), *numbers;
    float *values = malloc(NUMBERS * sizeof *values);
    unsigned i;
    for (i = 0; i < NUMBERS; i++)
        values[i] = (float)(i + 1);
    numbers = buffer(values, NUMBERS * sizeof *values);
    target(0, floats);
    use_declaration(elements);
    use_vs(normal);
    use_ps(show);
    stream(0, positions, 0, 12);
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        const float step = table[i] / 4.0f, tolerance = 0.02f * step;
        float got[4];
        int k;
        stream(1, numbers, 0, table[i]);
        draw_streams();
        /* Pixel 1 of 4 lies a quarter of the way to vertex 1 and to vertex 2. */
        read_bytes(floats, 1, 1, got, sizeof got);
        for (k = 0; k < 4; k++) {
            const float want = 1 + k + 0.25f * step + 0.25f * 2 * step;
            CHECK(fabsf(got[k] - want) <= tolerance, "stride %u: %c is %g, not %g", table[i], "xyzw"[k], got[k], want);
        }
    }
    stream(0, NULL, 0, 0);
    stream(1, NULL, 0, 0);
    IDirect3DVertexBuffer9_Release(positions);
    IDirect3DVertexBuffer9_Release(numbers);
    free(values);
}

/* Draws without indices have instances too; none asked for is one. */
static void instances(void)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                  { 1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                                  { 1, 16, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 1 },
                                                  D3DDECL_END() };
    /* A number, and a step: right, then down. */
    static const float each[3][8] = { { 1 }, { 2, 0, 0, 0, 1 }, { 3, 0, 0, 0, 0, -1 } };
    static const struct {
        UINT count;
        float left, right, below;
    } table[] = { { 0, 1, 1, 1 }, { 1, 1, 1, 1 }, { 2, 1, 2, 1 }, { 3, 1, 2, 3 } };
    IDirect3DVertexBuffer9 *positions = buffer(corners, sizeof corners), *places = buffer(each, sizeof each);
    unsigned i;
    target(0, floats);
    use_declaration(elements);
    use_vs(placed);
    use_ps(show);
    stream(0, positions, 0, 12);
    stream(1, places, 0, 32);
    OK(IDirect3DDevice9_SetStreamSourceFreq(device, 1, D3DSTREAMSOURCE_INSTANCEDATA | 1));
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        OK(IDirect3DDevice9_SetStreamSourceFreq(device, 0, D3DSTREAMSOURCE_INDEXEDDATA | table[i].count));
        draw_streams();
        EXPECT_FLOATS(floats, 0, 0, table[i].left, 0, 0, 0, "left");
        EXPECT_FLOATS(floats, 3, 0, table[i].right, 0, 0, 0, "right");
        EXPECT_FLOATS(floats, 0, 3, table[i].below, 0, 0, 0, "below");
    }
    OK(IDirect3DDevice9_SetStreamSourceFreq(device, 0, 1));
    OK(IDirect3DDevice9_SetStreamSourceFreq(device, 1, 1));
    stream(0, NULL, 0, 0);
    stream(1, NULL, 0, 0);
    IDirect3DVertexBuffer9_Release(positions);
    IDirect3DVertexBuffer9_Release(places);
}

/* A new managed texture is dirty: its first draw takes what a lock wrote that says it is not, the next one does
 * not. */
static void undirtied(void)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                  { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                                  { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_COLOR, 0 },
                                                  D3DDECL_END() };
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT rect;
    int turn;
    OK(IDirect3DDevice9_CreateTexture(device, 1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    back_buffer_target();
    use_declaration(elements);
    use_vs(pass);
    use_ps(texel_xyzz);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    for (turn = 0; turn < 2; turn++) {
        DWORD got;
        OK(IDirect3DTexture9_LockRect(texture, 0, &rect, NULL, D3DLOCK_NO_DIRTY_UPDATE));
        *(DWORD *)rect.pBits = turn ? 0xFFFFFFFF : 0xFF402010;
        OK(IDirect3DTexture9_UnlockRect(texture, 0));
        clear_target(0xFF123456);
        draw_up(D3DPT_TRIANGLESTRIP, 2, corners, 12);
        got = pixel(device, 10, 10);
        CHECK(close_to(got, 0x10402010, 1), "turn %d: %08x", turn, (unsigned)got);
    }
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(texture);
}

int main(void)
{
    start();
    floats = make_target(4, 4, D3DFMT_A32B32G32R32F);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    swizzles();
    nothing_there();
    strides();
    instances();
    undirtied();
    back_buffer_target();
    IDirect3DSurface9_Release(floats);
    use_vs(NULL);
    use_ps(NULL);
    return stop("program_edges");
}
