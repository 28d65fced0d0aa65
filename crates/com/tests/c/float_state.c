/* ProcessVertices leaves the caller's floating-point state as it was: rounding, traps and flags. */
#include "common.h"

#if defined(__x86_64__) && !defined(_WIN32)
#include <xmmintrin.h>

enum { COUNT = 100, MANY = 40000, STRIDE = 32 };

/* The library's own skinning shader, which is run both ways and compared. */
static const DWORD skinning[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x80000003, 0x900F0001, 0x0000001F,
    0x80000001, 0x900F0002, 0x0000001F, 0x80000002, 0x900F0003, 0x0000001F, 0x80000005, 0x900F0004,
    0x00000004, 0x800F0000, 0x90E40003, 0xA0FF0009, 0xA0FF0005, 0x00000001, 0xB0010000, 0x80000000,
    0x00000005, 0x800F0001, 0x90000002, 0xA0E4201D, 0x00000005, 0x800F0002, 0x90000002, 0xA0E4201E,
    0x00000005, 0x800F0003, 0x90000002, 0xA0E4201F, 0x00000001, 0xB0010000, 0x80550000, 0x00000004,
    0x800F0001, 0x90550002, 0xA0E4201D, 0x80E40001, 0x00000004, 0x800F0002, 0x90550002, 0xA0E4201E,
    0x80E40002, 0x00000004, 0x800F0003, 0x90550002, 0xA0E4201F, 0x80E40003, 0x00000009, 0xC0010000,
    0x90E40000, 0x80E40001, 0x00000009, 0xC0020000, 0x90E40000, 0x80E40002, 0x00000009, 0xC0040000,
    0x90E40000, 0x80E40003, 0x00000001, 0xC0080000, 0x90000004, 0x00000001, 0xE00F0000, 0x90E40004,
    0x0000FFFF,
};

struct vertex {
    float position[3], normal[3], coordinates[2];
    unsigned char indices[4];
    float weights[2];
};

static IDirect3DVertexBuffer9 *destination(IDirect3DDevice9 *device, UINT count)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, count * STRIDE, 0, D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1,
                                           D3DPOOL_SYSTEMMEM, &buffer, NULL));
    return buffer;
}

/* What one call makes on several threads, calls of few vertices make on one: in the caller's rounding mode all. */
static void threads(IDirect3DDevice9 *device)
{
    static unsigned char modes[4][MANY * STRIDE];
    IDirect3DVertexBuffer9 *whole = destination(device, MANY), *parts = destination(device, MANY);
    const unsigned mine = _mm_getcsr();
    const UINT few = MANY / 10;
    unsigned rounding;
    UINT first;
    HRESULT hr;

    for (rounding = 0; rounding < 4; rounding++) {
        void *a, *b;
        _mm_setcsr(rounding << 13 | 0x1F80);
        hr = IDirect3DDevice9_ProcessVertices(device, 0, 0, MANY, whole, NULL, D3DPV_DONOTCOPYDATA);
        for (first = 0; first < MANY && hr == D3D_OK; first += few)
            hr = IDirect3DDevice9_ProcessVertices(device, first, first, few, parts, NULL, D3DPV_DONOTCOPYDATA);
        _mm_setcsr(mine);
        CHECK(hr == D3D_OK, "ProcessVertices gave %#x", (unsigned)hr);
        OK(IDirect3DVertexBuffer9_Lock(whole, 0, 0, &a, D3DLOCK_READONLY));
        OK(IDirect3DVertexBuffer9_Lock(parts, 0, 0, &b, D3DLOCK_READONLY));
        CHECK(memcmp(a, b, MANY * STRIDE) == 0, "rounding mode %u: threads make other bytes", rounding);
        memcpy(modes[rounding], a, MANY * STRIDE);
        IDirect3DVertexBuffer9_Unlock(whole);
        IDirect3DVertexBuffer9_Unlock(parts);
        CHECK(rounding == 0 || memcmp(modes[0], modes[rounding], MANY * STRIDE) != 0,
              "rounding mode %u changes nothing", rounding);
    }
    IDirect3DVertexBuffer9_Release(parts);
    IDirect3DVertexBuffer9_Release(whole);
}

static void run(IDirect3DDevice9 *device)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
        { 0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0 },
        { 0, 24, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0 },
        { 0, 32, D3DDECLTYPE_UBYTE4N, 0, D3DDECLUSAGE_BLENDINDICES, 0 },
        { 0, 36, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_BLENDWEIGHT, 0 },
        D3DDECL_END(),
    };
    static const unsigned flags[] = { 0, 0x3F, 0x05, 0x20 }, masks[] = { 0x1F80, 0, 0x0F80 };
    static float constants[256][4];
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexShader9 *shader = NULL;
    IDirect3DVertexBuffer9 *from = NULL, *to = destination(device, COUNT);
    struct vertex *vertices;
    const unsigned mine = _mm_getcsr();
    unsigned n, rounding, mask, flag;
    HRESULT hr;

    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DDevice9_CreateVertexShader(device, skinning, &shader));
    OK(IDirect3DDevice9_CreateVertexBuffer(device, MANY * sizeof *vertices, 0, 0, D3DPOOL_SYSTEMMEM, &from, NULL));
    OK(IDirect3DVertexBuffer9_Lock(from, 0, 0, (void **)&vertices, 0));
    memset(vertices, 0, MANY * sizeof *vertices);
    for (n = 0; n < MANY; n++) {
        /* Inexact, overflowing, denormal and invalid in turn. */
        static const float xs[] = { 0.1f, 3e38f, 1e-40f, INFINITY };
        vertices[n].position[0] = xs[n % 4];
        vertices[n].position[1] = (float)n / 3;
        vertices[n].indices[0] = (unsigned char)(3 * (n % 20));
        vertices[n].weights[0] = 0.3f;
        vertices[n].weights[1] = 0.7f;
    }
    OK(IDirect3DVertexBuffer9_Unlock(from));
    for (n = 29; n < 256; n++) {
        constants[n][0] = n % 2 ? -1.1f : 7.3f;
        constants[n][1] = 0.1f;
        constants[n][3] = n % 3 ? 1 : -INFINITY;
    }
    constants[5][3] = 0.25f;
    constants[9][3] = 255;
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    OK(IDirect3DDevice9_SetVertexShader(device, shader));
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, constants[0], 256));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, sizeof *vertices));
    for (rounding = 0; rounding < 4; rounding++)
        for (mask = 0; mask < 3; mask++)
            for (flag = 0; flag < 4; flag++) {
                const unsigned before = rounding << 13 | masks[mask] | flags[flag];
                unsigned after;
                _mm_setcsr(before);
                hr = IDirect3DDevice9_ProcessVertices(device, 0, 0, COUNT, to, NULL, D3DPV_DONOTCOPYDATA);
                after = _mm_getcsr();
                _mm_setcsr(mine);
                CHECK(hr == D3D_OK, "ProcessVertices gave %#x", (unsigned)hr);
                CHECK(after == before, "MXCSR was %#x and is %#x", before, after);
                /* A call that fails leaves it too. */
                _mm_setcsr(before);
                hr = IDirect3DDevice9_ProcessVertices(device, MANY - COUNT + 1, 0, COUNT, to, NULL,
                                                      D3DPV_DONOTCOPYDATA);
                after = _mm_getcsr();
                _mm_setcsr(mine);
                CHECK(hr == D3DERR_INVALIDCALL && after == before, "%#x, MXCSR was %#x and is %#x", (unsigned)hr,
                      before, after);
            }
    threads(device);
    IDirect3DVertexBuffer9_Release(to);
    IDirect3DVertexBuffer9_Release(from);
    IDirect3DVertexShader9_Release(shader);
    IDirect3DVertexDeclaration9_Release(declaration);
}

int main(void)
{
    static const char *const ways[] = { "NINEFOLD_PV_DIFFERENTIAL", "NINEFOLD_PV_SKIN_FAST", "NINEFOLD_NONE" };
    unsigned n;
    for (n = 0; n < 3; n++) {
        IDirect3D9 *d3d;
        IDirect3DDevice9 *device;
        setenv(ways[n], "1", 1);
        d3d = make_d3d();
        device = make_device(d3d);
        run(device);
        IDirect3DDevice9_Release(device);
        IDirect3D9_Release(d3d);
        unsetenv(ways[n]);
    }
    return finish("float_state");
}
#else
int main(void)
{
    return finish("float_state");
}
#endif
