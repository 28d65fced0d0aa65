/* Depth that pixel shaders write, read and compare with; pixels that they kill. */
#include "visual.h"

#define INTZ ((D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'))

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
 * ps_2_0
 * dcl t0
 * dcl_2d s0
 * texld r0, t0, s0
 * mov oC0, r0
 */
static const DWORD sample[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * dcl_2d s0
 * texldp r0, t0, s0
 * mov oC0, r0
 */
static const DWORD sample_projected[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x03010042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * tex t0
 * mov r0, t0
 */
static const DWORD sample_1[] = {
    0xFFFF0101, 0x00000042, 0xB00F0000, 0x00000001, 0x800F0000, 0xB0E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * mov oC0, c0
 * mov oDepth, t0.x
 */
static const DWORD write_depth[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x02000001, 0x800F0800, 0xA0E40000, 0x02000001,
    0x900F0800, 0xB0000000, 0x0000FFFF,
};

/*
 * ps_1_4
 * texcrd r5.rgb, t0
 * phase
 * texdepth r5
 * mov r0, c0
 */
static const DWORD divide_depth[] = {
    0xFFFF0104, 0x00000040, 0x80070005, 0xB0E40000, 0x0000FFFD, 0x00000057, 0x800F0005, 0x00000001,
    0x800F0000, 0xA0E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * mov r0, c0
 * mov oC0, r0
 */
static const DWORD constant[] = {
    0xFFFF0200, 0x02000001, 0x800F0000, 0xA0E40000, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * texkill t0
 * mov r0, c0
 */
static const DWORD kill_1[] = {
    0xFFFF0101, 0x00000041, 0xB00F0000, 0x00000001, 0x800F0000, 0xA0E40000, 0x0000FFFF,
};

/*
 * ps_1_4
 * texcrd r0.rgb, t0
 * phase
 * texkill r0
 * mov r0, c0
 */
static const DWORD kill_14[] = {
    0xFFFF0104, 0x00000040, 0x80070000, 0xB0E40000, 0x0000FFFD, 0x00000041, 0x800F0000, 0x00000001,
    0x800F0000, 0xA0E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * mov r0, t0
 * texkill r0
 * mov r1, c0
 * mov oC0, r1
 */
static const DWORD kill_2[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x02000001, 0x800F0000, 0xB0E40000, 0x01000041,
    0x800F0000, 0x02000001, 0x800F0001, 0xA0E40000, 0x02000001, 0x800F0800, 0x80E40001, 0x0000FFFF,
};

struct vertex {
    float x, y, z, u, v, w, q;
};

static struct vertex quad[4];

static void corner_values(float z, float u0, float v0, float u1, float v1, float w, float q)
{
    int i;
    for (i = 0; i < 4; i++) {
        quad[i].x = corners[3 * i];
        quad[i].y = corners[3 * i + 1];
        quad[i].z = z;
        quad[i].u = i & 1 ? u1 : u0;
        quad[i].v = i & 2 ? v1 : v0;
        quad[i].w = w;
        quad[i].q = q;
    }
}

static void draw(void)
{
    draw_up(D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]);
}

/* Whether a pixel of this depth is nearer than what the depth buffer holds. */
static int is_nearer(float z)
{
    struct vertex kept[4];
    int nearer;
    memcpy(kept, quad, sizeof kept);
    corner_values(z, 0, 0, 0, 0, 0, 1);
    state(D3DRS_ZFUNC, D3DCMP_LESS);
    state(D3DRS_ZWRITEENABLE, FALSE);
    clear_target(0);
    use_ps(constant);
    draw();
    nearer = pixel(device, EDGE / 2, EDGE / 2) != 0;
    state(D3DRS_ZWRITEENABLE, TRUE);
    state(D3DRS_ZFUNC, D3DCMP_ALWAYS);
    memcpy(quad, kept, sizeof quad);
    return nearer;
}

static void written(void)
{
    static const struct {
        const char *name;
        const DWORD *shader;
        float red, green, want;
    } table[] = {
        { "oDepth", write_depth, 0.25f, 0, 0.25f },      { "oDepth past 1", write_depth, 2, 0, 1 },
        { "oDepth below 0", write_depth, -1, 0, 0 },     { "texdepth", divide_depth, 0.25f, 0.5f, 0.5f },
        { "texdepth by 0", divide_depth, 0.5f, 0, 1 },   { "texdepth by 4", divide_depth, 0.5f, 4, 0.5f },
        { "texdepth past 1", divide_depth, 1, 0.5f, 1 },
    };
    unsigned i;
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZFUNC, D3DCMP_ALWAYS);
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        clear(device, 0);
        use_ps(table[i].shader);
        corner_values(0.7f, table[i].red, table[i].green, table[i].red, table[i].green, 0, 1);
        draw();
        if (table[i].want > 0)
            CHECK(is_nearer(table[i].want - 0.05f), "%s: %g is not nearer", table[i].name, table[i].want - 0.05f);
        if (table[i].want < 1)
            CHECK(!is_nearer(table[i].want + 0.05f), "%s: %g is nearer", table[i].name, table[i].want + 0.05f);
    }
    state(D3DRS_ZENABLE, FALSE);
}

static void kill(void)
{
    static const struct {
        const char *name;
        const DWORD *shader;
        int components;
    } table[] = { { "ps_1_1", kill_1, 3 }, { "ps_1_4", kill_14, 3 }, { "ps_2_0", kill_2, 4 } };
    int i, k;
    for (i = 0; i < 3; i++) {
        use_ps(table[i].shader);
        for (k = -1; k < 4; k++) {
            float v[4] = { 0, 1, 0, 1 };
            DWORD got;
            if (k >= 0)
                v[k] = -0.5f;
            corner_values(0.5f, v[0], v[1], v[0], v[1], v[2], v[3]);
            clear_target(0xFF123456);
            draw();
            got = pixel(device, EDGE / 2, EDGE / 2);
            CHECK(got == (k >= 0 && k < table[i].components ? 0xFF123456 : 0xFFFFFFFF),
                  "%s, component %d below 0: %08x", table[i].name, k, (unsigned)got);
        }
    }
}

/* The left half of a depth texture is at 0.25, the right one at 0.75. */
static void textures(D3DFORMAT format, const char *name)
{
    static const DWORD *const shaders[] = { sample, sample_projected, sample_1 };
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *surface = NULL, *old = NULL;
    D3DVIEWPORT9 half = { 0, 0, EDGE / 2, EDGE, 0, 1 }, whole = { 0, 0, EDGE, EDGE, 0, 1 };
    const int compares = format != INTZ;
    int i, k;
    if (IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE,
                                     format) != D3D_OK)
        return;
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &old));
    OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL, format, D3DPOOL_DEFAULT, &texture,
                                      NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, surface));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.75f, 0));
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZFUNC, D3DCMP_ALWAYS);
    OK(IDirect3DDevice9_SetViewport(device, &half));
    use_ps(constant);
    corner_values(0.25f, 0, 0, 0, 0, 0, 1);
    draw();
    OK(IDirect3DDevice9_SetViewport(device, &whole));
    state(D3DRS_ZENABLE, FALSE);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    for (i = 0; i < 3; i++) {
        for (k = 0; k < 4; k++) {
            const float r = 0.1f + 0.3f * k, q = shaders[i] == sample_projected ? 2.0f : 1.0f;
            char what[64];
            DWORD left = 0x40404040, right = 0xBFBFBFBF;
            use_ps(shaders[i]);
            corner_values(0.5f, 0, 0, q, q, q * r, q);
            clear_target(0xFF123456);
            draw();
            if (compares) {
                left = r <= 0.25f ? 0xFFFFFFFF : 0;
                right = r <= 0.75f ? 0xFFFFFFFF : 0;
            }
            sprintf(what, "%s, shader %d, r %g", name, i, r);
            {
                DWORD a = pixel(device, 10, 10), b = pixel(device, 50, 10);
                CHECK(close_to(a, left, 1), "%s: left %08x", what, (unsigned)a);
                CHECK(close_to(b, right, 1), "%s: right %08x", what, (unsigned)b);
            }
        }
    }
    /* Read while it is bound, for the test alone. */
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, surface));
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZWRITEENABLE, FALSE);
    state(D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    use_ps(sample);
    corner_values(0.5f, 0, 0, 1, 1, 0.5f, 1);
    clear_target(0xFF123456);
    draw();
    {
        DWORD a = pixel(device, 10, 10), b = pixel(device, 50, 10);
        CHECK(a == 0xFF123456, "%s: bound, left %08x", name, (unsigned)a);
        CHECK(close_to(b, compares ? 0xFFFFFFFF : 0xBFBFBFBF, 1), "%s: bound, right %08x", name, (unsigned)b);
    }
    state(D3DRS_ZWRITEENABLE, TRUE);
    state(D3DRS_ZENABLE, FALSE);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, old));
    IDirect3DSurface9_Release(old);
    IDirect3DSurface9_Release(surface);
    IDirect3DTexture9_Release(texture);
}

int main(void)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                  { 0, 12, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                                  D3DDECL_END() };
    start();
    use_declaration(elements);
    use_vs(pass);
    ps_constant(0, 1, 1, 1, 1);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_POINT));
    written();
    kill();
    textures(D3DFMT_D16, "D16");
    textures(D3DFMT_D24X8, "D24X8");
    textures(D3DFMT_D24S8, "D24S8");
    textures(INTZ, "INTZ");
    use_vs(NULL);
    use_ps(NULL);
    return stop("program_depth");
}
