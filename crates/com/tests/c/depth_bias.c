/* Depth biases at the ends of the depth range: vertices are clipped where they are, biased depths
 * are clamped to 0 to 1, whatever the viewport's range. */
#include "visual.h"

typedef struct {
    float x, y, z, w;
    DWORD color;
} Pixel;

typedef struct {
    float x, y, z;
    DWORD color;
} Vertex;

/* Positions and colours as they are, of vs_1_1. */
static const DWORD passes[] = { 0xFFFE0101, 0x1F, 0x80000000, 0x900F0000, 0x1F, 0x8000000A, 0x900F0001,
                                1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0x90E40001, 0xFFFF };

enum { PRETRANSFORMED, UNPROGRAMMED, PROGRAM, KINDS };

static void transformed(float left, float right, DWORD color)
{
    Pixel v[4] = { { 0, 0, left, 1, color }, { EDGE, 0, right, 1, color },
                   { 0, EDGE, left, 1, color }, { EDGE, EDGE, right, 1, color } };
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
}

static void draw(int kind, float left, float right)
{
    Vertex v[4] = { { -1, 1, left, 0xFFFF0000 }, { 1, 1, right, 0xFFFF0000 },
                    { -1, -1, left, 0xFFFF0000 }, { 1, -1, right, 0xFFFF0000 } };
    if (kind == PRETRANSFORMED) {
        transformed(left, right, 0xFFFF0000);
        return;
    }
    if (kind == PROGRAM)
        use_vs(passes);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
    OK(IDirect3DDevice9_SetVertexShader(device, NULL));
}

static void bias(float constant, float slope)
{
    state(D3DRS_DEPTHBIAS, float_bits(constant));
    state(D3DRS_SLOPESCALEDEPTHBIAS, float_bits(slope));
}

static void range(float from, float to)
{
    D3DVIEWPORT9 viewport = { 0, 0, EDGE, EDGE, from, to };
    OK(IDirect3DDevice9_SetViewport(device, &viewport));
}

/* The depth in column 32: a quad whose depth is the height shows above it where it is nearer. */
static float depth(void)
{
    Pixel v[4] = { { 0, 0, 0, 1, 0xFFFFFFFF }, { EDGE, 0, 0, 1, 0xFFFFFFFF },
                   { 0, EDGE, 1, 1, 0xFFFFFFFF }, { EDGE, EDGE, 1, 1, 0xFFFFFFFF } };
    IDirect3DSurface9 *target, *copy;
    D3DLOCKED_RECT locked;
    int y, nearer = 0;
    range(0, 1);
    bias(0, 0);
    state(D3DRS_ZWRITEENABLE, FALSE);
    state(D3DRS_ZFUNC, D3DCMP_LESS);
    clear_target(0);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
    state(D3DRS_ZWRITEENABLE, TRUE);
    state(D3DRS_ZFUNC, D3DCMP_ALWAYS);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY));
    for (y = 0; y < EDGE; y++)
        nearer += *(DWORD *)((char *)locked.pBits + y * locked.Pitch + 32 * 4) & 1;
    OK(IDirect3DSurface9_UnlockRect(copy));
    IDirect3DSurface9_Release(copy);
    IDirect3DSurface9_Release(target);
    return nearer / (float)EDGE;
}

static const struct {
    float constant, slope, left, right;
    /* At x = 32 of 64 within a range of 0 to 1, before it is clamped; below -8: not drawn. */
    float expected;
} cases[] = {
    { 0.125f, 0, 0.5f, 0.5f, 0.625f }, { -0.125f, 0, 0.5f, 0.5f, 0.375f },
    { 0.625f, 0, 0.5f, 0.5f, 1.125f }, { -0.625f, 0, 0.5f, 0.5f, -0.125f },
    { -3, 0, 0.875f, 0.875f, -2.125f }, { 1e6f, 0, 0.5f, 0.5f, 1e6f }, { -1e6f, 0, 0.5f, 0.5f, -8 },
    /* On the planes themselves, and past them: a bias brings nothing back. */
    { 0.5f, 0, 1, 1, 1.5f }, { -0.5f, 0, 0, 0, -0.5f }, { -0.5f, 0, 0.9375f, 0.9375f, 0.4375f },
    { 0.25f, 0, 1.125f, 1.125f, -9 }, { -0.25f, 0, 1.125f, 1.125f, -9 },
    { 0.25f, 0, -0.125f, -0.125f, -9 }, { -0.25f, 0, -0.125f, -0.125f, -9 },
    /* 1/128 a pixel. */
    { 0, 16, 0.25f, 0.75f, 0.625f }, { 0, 128, 0.25f, 0.75f, 1.5f }, { 0, -128, 0.25f, 0.75f, -0.5f },
    { 0.125f, -16, 0.25f, 0.75f, 0.5f }, { 0.4375f, 0, 0.25f, 0.9375f, 1.03125f },
};

static void depths(D3DFORMAT format)
{
    static const struct { float from, to; } ranges[] = { { 0, 1 }, { 0.25f, 0.75f }, { 0.5f, 1 } };
    IDirect3DSurface9 *surface = NULL;
    unsigned i, r;
    int kind;
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, format, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, surface));
    state(D3DRS_ZENABLE, D3DZB_TRUE);
    state(D3DRS_ZFUNC, D3DCMP_ALWAYS);
    for (kind = 0; kind < KINDS; kind++)
        for (r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (i = 0; i < sizeof cases / sizeof *cases; i++) {
                float width = ranges[r].to - ranges[r].from, middle = (cases[i].left + cases[i].right) / 2;
                float slopes = cases[i].expected - middle - cases[i].constant;
                float wanted = middle * width + ranges[r].from + cases[i].constant, found;
                int cut = cases[i].expected < -8.5f;
                DWORD color;
                if (cases[i].slope)
                    wanted += slopes * width;
                wanted = cut ? 0.3125f : wanted < 0 ? 0 : wanted > 1 ? 1 : wanted;
                OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.3125f, 0));
                range(ranges[r].from, ranges[r].to);
                bias(cases[i].constant, cases[i].slope);
                draw(kind, cases[i].left, cases[i].right);
                color = pixel(device, 32, 32) & 0xFFFFFF;
                found = depth();
                CHECK(color == (cut ? 0 : 0xFF0000), "format %d kind %d range %u case %u: %06x", format, kind, r, i,
                      (unsigned)color);
                CHECK(fabsf(found - wanted) < 0.03f, "format %d kind %d range %u case %u: %g, not %g", format, kind, r, i,
                      found, wanted);
            }
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    IDirect3DSurface9_Release(surface);
}

/* All six planes of the user cut a biased picture as they cut others. */
static void with_planes(void)
{
    static const float planes[6][4] = { { 1, 0, 0, 0.5f }, { -1, 0, 0, 0.5f }, { 0, 1, 0, 0.5f },
                                        { 0, -1, 0, 0.5f }, { 0, 0, 1, 5 }, { 1, 1, 0, 0.5f } };
    static const struct { int x, y; DWORD color; } points[] = {
        { 32, 20, 0xFF0000 }, { 8, 32, 0 }, { 56, 32, 0 }, { 32, 8, 0 }, { 32, 56, 0 }, { 20, 44, 0 }, { 44, 20, 0xFF0000 },
    };
    unsigned i;
    int kind;
    for (i = 0; i < 6; i++)
        OK(IDirect3DDevice9_SetClipPlane(device, i, planes[i]));
    state(D3DRS_CLIPPLANEENABLE, 0x3F);
    for (kind = UNPROGRAMMED; kind < KINDS; kind++) {
        clear(device, 0);
        bias(0.75f, 0);
        draw(kind, 0.5f, 0.5f);
        for (i = 0; i < sizeof points / sizeof *points; i++)
            EXPECT_AT(device, points[i].x, points[i].y, points[i].color, "six planes and a bias");
    }
    state(D3DRS_CLIPPLANEENABLE, 0);
}

/* Lines and points have no bias. */
static void lines_and_points(void)
{
    Pixel v[2] = { { 4, 32, 0.5f, 1, 0xFFFF0000 }, { 60, 32, 0.5f, 1, 0xFFFF0000 } };
    static const struct { D3DPRIMITIVETYPE type; UINT count; int x; } table[] = {
        { D3DPT_LINELIST, 1, 32 }, { D3DPT_POINTLIST, 2, 4 },
    };
    unsigned i;
    state(D3DRS_ZFUNC, D3DCMP_LESS);
    bias(-0.25f, 0);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    for (i = 0; i < 2; i++) {
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.375f, 0));
        draw_up(table[i].type, table[i].count, v, sizeof *v);
        EXPECT_AT(device, table[i].x, 32, 0, "a biased line or point behind");
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.625f, 0));
        draw_up(table[i].type, table[i].count, v, sizeof *v);
        EXPECT_AT(device, table[i].x, 32, 0xFF0000, "a biased line or point in front");
    }
    bias(0, 0);
}

/* Without a depth test a bias does nothing at all. */
static void untested(void)
{
    int kind;
    state(D3DRS_ZENABLE, D3DZB_FALSE);
    for (kind = 0; kind < KINDS; kind++) {
        clear_target(0);
        bias(3, 0);
        draw(kind, 0.5f, 0.5f);
        EXPECT(device, 0xFF0000, "a bias without a test");
        clear_target(0);
        draw(kind, 1.25f, 1.25f);
        EXPECT(device, kind == PRETRANSFORMED ? 0xFF0000 : 0, "past the far plane without a test");
    }
}

int main(void)
{
    static const D3DFORMAT formats[] = { D3DFMT_D16, D3DFMT_D24S8, D3DFMT_D32F_LOCKABLE };
    IDirect3DSurface9 *own = NULL;
    unsigned i;
    start();
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &own));
    for (i = 0; i < sizeof formats / sizeof *formats; i++)
        depths(formats[i]);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
    IDirect3DSurface9_Release(own);
    with_planes();
    lines_and_points();
    untested();
    return stop("depth_bias");
}
