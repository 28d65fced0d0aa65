/* Sampling by programs: kinds that do not match, levels, projection, gradients, sRGB, targets that are
 * sampled while drawn to. */
#include "visual.h"

/*
 * vs_3_0
 * dcl_position v0
 * dcl_texcoord v1
 * dcl_position o0
 * dcl_texcoord o1
 * mov o0, v0
 * mov o1, v1
 */
static const DWORD pass[] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000005, 0x900F0001, 0x0200001F,
    0x80000000, 0xE00F0000, 0x0200001F, 0x80000005, 0xE00F0001, 0x02000001, 0xE00F0000, 0x90E40000,
    0x02000001, 0xE00F0001, 0x90E40001, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * dcl_texcoord v1
 * mov oPos, v0
 * mov oT0, v1
 */
static const DWORD pass_2[] = {
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
static const DWORD plane[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * dcl_cube s0
 * texld r0, t0, s0
 * mov oC0, r0
 */
static const DWORD cube[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x98000000, 0xA00F0800, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * dcl_volume s0
 * texld r0, t0, s0
 * mov oC0, r0
 */
static const DWORD volume[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0xA0000000, 0xA00F0800, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * dcl_2d s0
 * texldp r0, t0, s0
 * mov oC0, r0
 */
static const DWORD projected[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x03010042,
    0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * dcl_2d s0
 * mov r1, t0
 * mov r1.w, c0.x
 * texldb r0, r1, s0
 * mov oC0, r0
 */
static const DWORD biased[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x02000001,
    0x800F0001, 0xB0E40000, 0x02000001, 0x80080001, 0xA0000000, 0x03020042, 0x800F0000, 0x80E40001,
    0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord v0
 * dcl_2d s0
 * mov r1, v0
 * mov r1.w, c0.x
 * texldl r0, r1, s0
 * mov oC0, r0
 */
static const DWORD exact_level[] = {
    0xFFFF0300, 0x0200001F, 0x80000005, 0x900F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x02000001,
    0x800F0001, 0x90E40000, 0x02000001, 0x80080001, 0xA0000000, 0x0300005F, 0x800F0000, 0x80E40001,
    0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord v0
 * dcl_2d s0
 * mov r1, c0
 * mov r2, c1
 * texldd r0, v0, s0, r1, r2
 * mov oC0, r0
 */
static const DWORD gradient[] = {
    0xFFFF0300, 0x0200001F, 0x80000005, 0x900F0000, 0x0200001F, 0x90000000, 0xA00F0800, 0x02000001,
    0x800F0001, 0xA0E40000, 0x02000001, 0x800F0002, 0xA0E40001, 0x0500005D, 0x800F0000, 0x90E40000,
    0xA0E40800, 0x80E40001, 0x80E40002, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * mov r0, c0
 * mov oC0, r0
 */
static const DWORD constant[] = {
    0xFFFF0200, 0x02000001, 0x800F0000, 0xA0E40000, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

static const DWORD level_colors[5] = { 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFF00, 0xFF00FFFF };

struct vertex {
    float x, y, z, u, v, w, q;
};

static struct vertex quad[4];

/* A quad over the target whose coordinates run from the first to the second two numbers. */
static void coordinates(float u0, float v0, float u1, float v1, float w, float q)
{
    int i;
    for (i = 0; i < 4; i++) {
        quad[i].x = corners[3 * i];
        quad[i].y = corners[3 * i + 1];
        quad[i].z = 0.5f;
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

static void sampler(D3DSAMPLERSTATETYPE name, DWORD value)
{
    OK(IDirect3DDevice9_SetSamplerState(device, 0, name, value));
}

static void texture(void *bound)
{
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)bound));
}

static DWORD drawn(void)
{
    clear_target(0xFF123456);
    draw();
    return pixel(device, EDGE / 2, EDGE / 2);
}

#define EXPECT_DRAWN(argb, ...) \
    do { \
        DWORD got_ = drawn(); \
        char what_[80]; \
        sprintf(what_, __VA_ARGS__); \
        CHECK(close_to(got_, (argb), 1), "%s: %08x, not %08x", what_, (unsigned)got_, (unsigned)(argb)); \
    } while (0)

/* Without a texture black is read, as it is where a cube meets another kind. A 2D texture is a volume of one
 * slice, and a volume that is read as 2D uses the third coordinate all the same. */
static void kinds(void)
{
    IDirect3DTexture9 *flat = make_texture(device, 1, 1, &(DWORD){ 0x40FF8000 });
    IDirect3DCubeTexture9 *faces = NULL;
    IDirect3DVolumeTexture9 *slices = NULL;
    D3DLOCKED_RECT rect;
    D3DLOCKED_BOX box;
    int i;
    OK(IDirect3DDevice9_CreateCubeTexture(device, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &faces, NULL));
    for (i = 0; i < 6; i++) {
        OK(IDirect3DCubeTexture9_LockRect(faces, (D3DCUBEMAP_FACES)i, 0, &rect, NULL, 0));
        *(DWORD *)rect.pBits = 0x80000000 | 0x202020 * (i + 1);
        OK(IDirect3DCubeTexture9_UnlockRect(faces, (D3DCUBEMAP_FACES)i, 0));
    }
    OK(IDirect3DDevice9_CreateVolumeTexture(device, 1, 1, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &slices,
                                            NULL));
    OK(IDirect3DVolumeTexture9_LockBox(slices, 0, &box, NULL, 0));
    *(DWORD *)box.pBits = 0x60102030;
    *(DWORD *)((char *)box.pBits + box.SlicePitch) = 0x70405060;
    OK(IDirect3DVolumeTexture9_UnlockBox(slices, 0));

    use_vs(pass_2);
    coordinates(0.2f, 0.3f, 0.2f, 0.3f, 0.8f, 1);
    {
        const struct {
            const char *name;
            const DWORD *shader;
            DWORD none, on_flat, on_faces, on_slices;
        } table[] = {
            { "2D", plane, 0xFF000000, 0x40FF8000, 0xFF000000, 0x70405060 },
            { "volume", volume, 0xFF000000, 0x40FF8000, 0xFF000000, 0x70405060 },
            { "cube", cube, 0xFF000000, 0xFF000000, 0x80A0A0A0, 0xFF000000 },
        };
        for (i = 0; i < 3; i++) {
            use_ps(table[i].shader);
            texture(NULL);
            EXPECT_DRAWN(table[i].none, "%s sampler on nothing", table[i].name);
            texture(flat);
            EXPECT_DRAWN(table[i].on_flat, "%s sampler on a 2D texture", table[i].name);
            texture(faces);
            EXPECT_DRAWN(table[i].on_faces, "%s sampler on a cube", table[i].name);
            texture(slices);
            EXPECT_DRAWN(table[i].on_slices, "%s sampler on a volume", table[i].name);
        }
    }
    texture(NULL);
    IDirect3DTexture9_Release(flat);
    IDirect3DCubeTexture9_Release(faces);
    IDirect3DVolumeTexture9_Release(slices);
}

/* A chain of 16 x 16 to 1 x 1, each level in a colour of its own; the quad has 64 pixels an edge. */
static void levels(void)
{
    IDirect3DTexture9 *chain = NULL;
    D3DLOCKED_RECT rect;
    int level, y, x;
    OK(IDirect3DDevice9_CreateTexture(device, 16, 16, 5, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &chain, NULL));
    for (level = 0; level < 5; level++) {
        OK(IDirect3DTexture9_LockRect(chain, level, &rect, NULL, 0));
        for (y = 0; y < 16 >> level; y++)
            for (x = 0; x < 16 >> level; x++)
                ((DWORD *)((char *)rect.pBits + y * rect.Pitch))[x] = level_colors[level];
        OK(IDirect3DTexture9_UnlockRect(chain, level));
    }
    texture(chain);
    sampler(D3DSAMP_MINFILTER, D3DTEXF_POINT);
    sampler(D3DSAMP_MAGFILTER, D3DTEXF_POINT);
    sampler(D3DSAMP_MIPFILTER, D3DTEXF_POINT);
    use_vs(pass_2);
    use_ps(plane);
    for (level = 0; level < 5; level++) {
        float scale = 4.0f * (1 << level);
        coordinates(0, 0, scale, scale, 0, 1);
        EXPECT_DRAWN(level_colors[level], "%g texels a pixel", scale / 4);
    }
    /* Limits: of the sampler, of the texture. */
    coordinates(0, 0, 4, 4, 0, 1);
    for (level = 0; level < 5; level++) {
        sampler(D3DSAMP_MAXMIPLEVEL, level);
        EXPECT_DRAWN(level_colors[level], "max level %d", level);
    }
    sampler(D3DSAMP_MAXMIPLEVEL, 0);
    for (level = 0; level < 5; level++) {
        IDirect3DTexture9_SetLOD(chain, level);
        EXPECT_DRAWN(level_colors[level], "LOD %d", level);
        sampler(D3DSAMP_MAXMIPLEVEL, 2);
        EXPECT_DRAWN(level_colors[level > 2 ? level : 2], "LOD %d and max level 2", level);
        sampler(D3DSAMP_MAXMIPLEVEL, 0);
    }
    /* Without mipmapping the texture's limit counts and the sampler's does not. */
    sampler(D3DSAMP_MIPFILTER, D3DTEXF_NONE);
    IDirect3DTexture9_SetLOD(chain, 1);
    sampler(D3DSAMP_MAXMIPLEVEL, 3);
    EXPECT_DRAWN(level_colors[1], "no mipmapping, LOD 1, max level 3");
    IDirect3DTexture9_SetLOD(chain, 0);
    EXPECT_DRAWN(level_colors[0], "no mipmapping, max level 3");
    sampler(D3DSAMP_MAXMIPLEVEL, 0);
    sampler(D3DSAMP_MIPFILTER, D3DTEXF_POINT);

    coordinates(0, 0, 8, 8, 0, 1);
    for (level = -1; level <= 3; level++) {
        sampler(D3DSAMP_MIPMAPLODBIAS, float_bits((float)level));
        EXPECT_DRAWN(level_colors[1 + level], "bias %d of the sampler", level);
    }
    sampler(D3DSAMP_MIPMAPLODBIAS, 0);
    use_ps(biased);
    for (level = -1; level <= 3; level++) {
        ps_constant(0, (float)level, 0, 0, 0);
        EXPECT_DRAWN(level_colors[1 + level], "texldb %d", level);
    }
    use_vs(pass);
    use_ps(exact_level);
    for (level = 0; level < 5; level++) {
        ps_constant(0, (float)level, 0, 0, 0);
        EXPECT_DRAWN(level_colors[level], "texldl %d", level);
    }
    use_ps(gradient);
    for (level = 0; level < 5; level++) {
        float step = (float)(1 << level) / 16;
        ps_constant(0, step, 0, 0, 0);
        ps_constant(1, 0, step, 0, 0);
        EXPECT_DRAWN(level_colors[level], "texldd %g", step);
    }
    texture(NULL);
    sampler(D3DSAMP_MIPFILTER, D3DTEXF_NONE);
    IDirect3DTexture9_Release(chain);
}

static void projection_and_srgb(void)
{
    static const DWORD texels[4] = { 0xFF000000, 0xFF0000FF, 0xFF00FF00, 0x8080C020 };
    IDirect3DTexture9 *four = make_texture(device, 2, 2, texels);
    texture(four);
    use_vs(pass_2);
    use_ps(projected);
    /* (0.6, 1.4) / 2 is texel (0, 1), (0.6, 1.4) / 4 is texel (0, 0). */
    coordinates(0.6f, 1.4f, 0.6f, 1.4f, 0, 2);
    EXPECT_DRAWN(texels[2], "texldp by 2");
    coordinates(0.6f, 1.4f, 0.6f, 1.4f, 0, 4);
    EXPECT_DRAWN(texels[0], "texldp by 4");

    use_ps(plane);
    coordinates(0.75f, 0.75f, 0.75f, 0.75f, 0, 1);
    /* 0x80, 0xC0, 0x20 decoded are 0.216, 0.527, 0.0144; 0x80 / 255 encoded is 0.7367 (0xBC). */
    sampler(D3DSAMP_SRGBTEXTURE, TRUE);
    EXPECT_DRAWN(0x80378604, "sRGB read");
    state(D3DRS_SRGBWRITEENABLE, TRUE);
    EXPECT_DRAWN(0x8080C020, "sRGB read and written");
    sampler(D3DSAMP_SRGBTEXTURE, FALSE);
    EXPECT_DRAWN(0x80BCE163, "sRGB written");
    /* Clear is encoded too. */
    clear_target(0x80808080);
    {
        DWORD got = pixel(device, 5, 5);
        CHECK(close_to(got, 0x80BCBCBC, 1), "sRGB clear: %08x", (unsigned)got);
    }
    state(D3DRS_SRGBWRITEENABLE, FALSE);
    texture(NULL);
    IDirect3DTexture9_Release(four);
}

/* A target that is sampled while it is drawn to reads what it held. */
static void own_target(void)
{
    IDirect3DTexture9 *made = NULL;
    IDirect3DSurface9 *top = NULL, *half = NULL;
    OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 2, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                      &made, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(made, 0, &top));
    OK(IDirect3DTexture9_GetSurfaceLevel(made, 1, &half));
    use_vs(pass_2);
    use_ps(plane);
    coordinates(0, 0, 1, 1, 0, 1);
    /* A level made from the one above. */
    target(0, top);
    clear_target(0xFF802040);
    target(0, half);
    clear_target(0);
    texture(made);
    draw();
    EXPECT_ARGB(half, 5, 5, 0xFF802040, "level 1 from level 0");
    /* The same level: the left half reads the right one. */
    target(0, top);
    {
        D3DRECT right = { 16, 0, 32, 32 };
        OK(IDirect3DDevice9_Clear(device, 1, &right, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
    }
    coordinates(0.75f, 0.5f, 0.75f, 0.5f, 0, 1);
    draw();
    EXPECT_ARGB(top, 3, 3, 0xFF00FF00, "a target from itself");
    /* Bound and not sampled. */
    use_ps(constant);
    ps_constant(0, 0, 0, 1, 1);
    draw();
    EXPECT_ARGB(top, 3, 3, 0xFF0000FF, "bound but not sampled");
    texture(NULL);
    back_buffer_target();
    IDirect3DSurface9_Release(top);
    IDirect3DSurface9_Release(half);
    IDirect3DTexture9_Release(made);
}

int main(void)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                  { 0, 12, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                                  D3DDECL_END() };
    start();
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    use_declaration(elements);
    kinds();
    levels();
    projection_and_srgb();
    own_target();
    use_vs(NULL);
    use_ps(NULL);
    return stop("textures");
}
