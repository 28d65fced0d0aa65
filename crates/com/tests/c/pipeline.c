/* The rest of the fixed pipeline: fog, generated and transformed coordinates, vertex blending, clip
 * planes, shading, tests, blending, stencil, rectangles, points, addressing and formats. */
#include "common.h"

struct colored {
    float x, y, z;
    DWORD diffuse;
};

struct screen {
    float x, y, z, rhw;
    DWORD diffuse, specular;
};

struct coordinates {
    float x, y, z;
    float nx, ny, nz;
    float u, v, w;
};

static IDirect3DDevice9 *device;

static void set(D3DRENDERSTATETYPE state, DWORD value)
{
    OK(IDirect3DDevice9_SetRenderState(device, state, value));
}

static void set_float(D3DRENDERSTATETYPE state, float value)
{
    DWORD bits;
    memcpy(&bits, &value, 4);
    set(state, bits);
}

static void stage(D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, state, value));
}

static void sampler(D3DSAMPLERSTATETYPE state, DWORD value)
{
    OK(IDirect3DDevice9_SetSamplerState(device, 0, state, value));
}

/* A strip over x and y from -half to half at this depth, without clearing. */
static void square(float half, float z, DWORD color)
{
    struct colored v[4] = {
        { -half, half, z, color }, { half, half, z, color }, { -half, -half, z, color }, { half, -half, z, color },
    };
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof v[0]));
    OK(IDirect3DDevice9_EndScene(device));
}

static void flat_screen(float left, float right, float z, DWORD diffuse, DWORD specular)
{
    struct screen v[4] = {
        { left - 0.5f, -0.5f, z, 1, diffuse, specular }, { right - 0.5f, -0.5f, z, 1, diffuse, specular },
        { left - 0.5f, 63.5f, z, 1, diffuse, specular }, { right - 0.5f, 63.5f, z, 1, diffuse, specular },
    };
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof v[0]));
    OK(IDirect3DDevice9_EndScene(device));
}

/* Red through fog of green. */
static DWORD fogged(double factor)
{
    return rgb(factor, 1 - factor, 0);
}

static void fog(void)
{
    set(D3DRS_FOGENABLE, TRUE);
    set(D3DRS_FOGCOLOR, 0x0000FF00);
    set_float(D3DRS_FOGSTART, 0);
    set_float(D3DRS_FOGEND, 1);
    set_float(D3DRS_FOGDENSITY, 1);

    set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    clear(device, 0);
    square(1, 0.25f, 0xFFFF0000);
    EXPECT(device, fogged(0.75), "vertex fog, linear");
    set(D3DRS_FOGVERTEXMODE, D3DFOG_EXP);
    clear(device, 0);
    square(1, 0.5f, 0xFFFF0000);
    EXPECT(device, fogged(exp(-0.5)), "vertex fog, exponential");
    set(D3DRS_FOGVERTEXMODE, D3DFOG_EXP2);
    clear(device, 0);
    square(1, 0.5f, 0xFFFF0000);
    EXPECT(device, fogged(exp(-0.25)), "vertex fog, squared");

    /* The corners are 1.5 away, their depth is 0.5. */
    set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    set_float(D3DRS_FOGEND, 2);
    set(D3DRS_RANGEFOGENABLE, TRUE);
    clear(device, 0);
    square(1, 0.5f, 0xFFFF0000);
    EXPECT(device, fogged(0.25), "vertex fog by range");
    set(D3DRS_RANGEFOGENABLE, FALSE);
    clear(device, 0);
    square(1, 0.5f, 0xFFFF0000);
    EXPECT(device, fogged(0.75), "vertex fog by depth");
    set(D3DRS_FOGVERTEXMODE, D3DFOG_NONE);
    set_float(D3DRS_FOGEND, 1);

    set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    clear(device, 0);
    square(1, 0.25f, 0xFFFF0000);
    EXPECT(device, fogged(0.75), "table fog, linear");
    clear(device, 0);
    flat_screen(0, 64, 0.75f, 0xFFFF0000, 0);
    EXPECT(device, fogged(0.25), "table fog of transformed vertices");
    set(D3DRS_FOGTABLEMODE, D3DFOG_EXP2);
    clear(device, 0);
    square(1, 0.5f, 0xFFFF0000);
    EXPECT(device, fogged(exp(-0.25)), "table fog, squared");
    set(D3DRS_FOGTABLEMODE, D3DFOG_NONE);

    /* Without a mode the factor is the specular colour's alpha. */
    clear(device, 0);
    flat_screen(0, 64, 0.5f, 0xFFFF0000, 0x40000000);
    EXPECT(device, fogged(0x40 / 255.0), "fog by specular alpha");
    set(D3DRS_FOGENABLE, FALSE);
}

static void draw_coordinates(float u, float v, float w)
{
    struct coordinates quad[4];
    int i;
    for (i = 0; i < 4; i++) {
        struct coordinates c = { i & 1 ? 1.0f : -1.0f, i & 2 ? -1.0f : 1.0f, 0.5f, 0, 0, -1, u, v, w };
        quad[i] = c;
    }
    draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0), quad, sizeof quad[0]);
}

static void draw_coordinates2(float u, float v)
{
    struct { float x, y, z, u, v; } quad[4];
    int i;
    for (i = 0; i < 4; i++) {
        quad[i].x = i & 1 ? 1.0f : -1.0f;
        quad[i].y = i & 2 ? -1.0f : 1.0f;
        quad[i].z = 0.5f;
        quad[i].u = u;
        quad[i].v = v;
    }
    draw_strip(device, D3DFVF_XYZ | D3DFVF_TEX1, quad, sizeof quad[0]);
}

static void coordinates(void)
{
    static const DWORD corners[4] = { 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF };
    IDirect3DTexture9 *texture = make_texture(device, 2, 2, corners);
    D3DMATRIX m;

    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    stage(D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    sampler(D3DSAMP_MINFILTER, D3DTEXF_POINT);
    sampler(D3DSAMP_MAGFILTER, D3DTEXF_POINT);

    /* Camera space positions, moved to 0 to 1 by the fourth row. */
    memset(&m, 0, sizeof m);
    m._11 = 0.5f;
    m._22 = -0.5f;
    m._41 = m._42 = 0.5f;
    m._33 = m._44 = 1;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE0, &m));
    stage(D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEPOSITION);
    stage(D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
    draw_coordinates(9, 9, 9);
    EXPECT_AT(device, 16, 16, 0xFF0000, "camera space position, top left");
    EXPECT_AT(device, 48, 16, 0x00FF00, "camera space position, top right");
    EXPECT_AT(device, 16, 48, 0x0000FF, "camera space position, bottom left");
    EXPECT_AT(device, 48, 48, 0xFFFFFF, "camera space position, bottom right");

    /* The same of normals: (0, 0, -1) is the middle; by the third row it moves. */
    m._31 = -0.25f;
    m._32 = 0.25f;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE0, &m));
    stage(D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACENORMAL);
    draw_coordinates(9, 9, 9);
    EXPECT(device, 0x00FF00, "camera space normal");

    /* Two coordinates from the vertex are (u, v, 1): the third row moves them. */
    memset(&m, 0, sizeof m);
    m._11 = m._22 = m._33 = m._44 = 1;
    m._31 = 0.5f;
    m._41 = 7;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE0, &m));
    stage(D3DTSS_TEXCOORDINDEX, 0);
    draw_coordinates2(0.25f, 0.25f);
    EXPECT(device, 0x00FF00, "two coordinates moved");

    /* Projected: divided by the third. */
    m._31 = m._41 = 0;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE0, &m));
    stage(D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED);
    draw_coordinates(0.5f, 1.5f, 2);
    EXPECT(device, 0x0000FF, "projected by the third");
    stage(D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    draw_coordinates(0.75f, 0.75f, 2);
    EXPECT(device, 0xFFFFFF, "not projected");

    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(texture);
}

static void addressing(void)
{
    static const DWORD two[2] = { 0xFFFF0000, 0xFF00FF00 };
    static const struct { DWORD mode; float u; DWORD color; const char *what; } cases[] = {
        { D3DTADDRESS_WRAP, 1.25f, 0xFF0000, "wrap" },
        { D3DTADDRESS_WRAP, -0.25f, 0x00FF00, "wrap below" },
        { D3DTADDRESS_MIRROR, 1.25f, 0x00FF00, "mirror" },
        { D3DTADDRESS_MIRROR, -0.25f, 0xFF0000, "mirror below" },
        { D3DTADDRESS_CLAMP, 1.25f, 0x00FF00, "clamp" },
        { D3DTADDRESS_CLAMP, -3, 0xFF0000, "clamp below" },
        { D3DTADDRESS_BORDER, 1.25f, 0xFFFFFF, "border" },
        { D3DTADDRESS_BORDER, 0.75f, 0x00FF00, "border, inside" },
        { D3DTADDRESS_MIRRORONCE, -0.25f, 0xFF0000, "mirror once" },
        { D3DTADDRESS_MIRRORONCE, -0.75f, 0x00FF00, "mirror once, farther" },
        { D3DTADDRESS_MIRRORONCE, -3, 0x00FF00, "mirror once, far" },
    };
    IDirect3DTexture9 *texture = make_texture(device, 2, 1, two);
    unsigned i;

    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    sampler(D3DSAMP_BORDERCOLOR, 0xFFFFFFFF);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sampler(D3DSAMP_ADDRESSU, cases[i].mode);
        draw_coordinates2(cases[i].u, 0.5f);
        EXPECT(device, cases[i].color, cases[i].what);
    }
    sampler(D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP);

    /* Half way between two texels, filtered: half of each. */
    sampler(D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    sampler(D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    draw_coordinates2(0.5f, 0.5f);
    EXPECT(device, 0x808000, "filtered");
    sampler(D3DSAMP_MINFILTER, D3DTEXF_POINT);
    sampler(D3DSAMP_MAGFILTER, D3DTEXF_POINT);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(texture);
}

/* One texel, or block, of a format, and the colour it is. */
static void formats(IDirect3D9 *d3d)
{
    static const struct { D3DFORMAT format; unsigned char bytes[16]; unsigned size, edge; DWORD color; const char *what; } cases[] = {
        { D3DFMT_A8R8G8B8, { 0x30, 0x20, 0x10, 0xFF }, 4, 1, 0x102030, "A8R8G8B8" },
        { D3DFMT_X8R8G8B8, { 0x30, 0x20, 0x10, 0x00 }, 4, 1, 0x102030, "X8R8G8B8" },
        { D3DFMT_A8B8G8R8, { 0x10, 0x20, 0x30, 0xFF }, 4, 1, 0x102030, "A8B8G8R8" },
        { D3DFMT_R5G6B5, { 0x1F, 0x80 }, 2, 1, 0x8400FF, "R5G6B5" },
        { D3DFMT_A1R5G5B5, { 0xE0, 0x83 }, 2, 1, 0x00FF00, "A1R5G5B5" },
        { D3DFMT_A4R4G4B4, { 0x48, 0xF1 }, 2, 1, 0x114488, "A4R4G4B4" },
        { D3DFMT_L8, { 0x77 }, 1, 1, 0x777777, "L8" },
        { D3DFMT_A8L8, { 0x77, 0xFF }, 2, 1, 0x777777, "A8L8" },
        { D3DFMT_A8, { 0xFF }, 1, 1, 0x000000, "A8" },
        { D3DFMT_DXT1, { 0x1F, 0x00, 0x00, 0x00, 0, 0, 0, 0 }, 8, 4, 0x0000FF, "DXT1" },
        { D3DFMT_DXT3, { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0xF8, 0x00, 0x00, 0, 0, 0, 0 }, 16, 4, 0xFF0000, "DXT3" },
        { D3DFMT_DXT5, { 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0xE0, 0x07, 0x00, 0x00, 0, 0, 0, 0 }, 16, 4, 0x00FF00, "DXT5" },
        /* Colours of half floats: 1, 0.5, 0.25 and alpha 1. */
        { D3DFMT_A16B16G16R16F, { 0x00, 0x3C, 0x00, 0x38, 0x00, 0x34, 0x00, 0x3C }, 8, 1, 0xFF8040, "A16B16G16R16F" },
    };
    unsigned i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        IDirect3DTexture9 *texture = NULL;
        D3DLOCKED_RECT locked;
        if (FAILED(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE, cases[i].format))) {
            printf("pipeline: no %s\n", cases[i].what);
            continue;
        }
        OK(IDirect3DDevice9_CreateTexture(device, cases[i].edge, cases[i].edge, 1, 0, cases[i].format, D3DPOOL_MANAGED, &texture, NULL));
        OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0));
        memcpy(locked.pBits, cases[i].bytes, cases[i].size);
        OK(IDirect3DTexture9_UnlockRect(texture, 0));
        OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
        draw_coordinates2(0.5f, 0.5f);
        EXPECT(device, cases[i].color, cases[i].what);
        OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
        IDirect3DTexture9_Release(texture);
    }
    stage(D3DTSS_COLOROP, D3DTOP_MODULATE);
}

static void geometry(void)
{
    static const float plane[4] = { 1, 0, 0, 0 };
    struct { float x, y, z, weight; DWORD diffuse; } blended[4];
    struct colored triangle[3] = { { -1, 3, 0.5f, 0xFFFF0000 }, { 3, -1, 0.5f, 0xFF00FF00 }, { -1, -1, 0.5f, 0xFF0000FF } };
    D3DMATRIX one, two;
    int i;

    /* Without a texture the default cascade is the diffuse colour. */
    clear(device, 0);
    square(1, 0.5f, 0xFF336699);
    EXPECT(device, 0x336699, "no texture");

    /* Half of world matrix 0 and half of matrix 1, which moves by one. */
    memset(&one, 0, sizeof one);
    one._11 = one._22 = one._33 = one._44 = 1;
    two = one;
    two._41 = 1;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLDMATRIX(0), &one));
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLDMATRIX(1), &two));
    set(D3DRS_VERTEXBLEND, D3DVBF_1WEIGHTS);
    for (i = 0; i < 4; i++) {
        blended[i].x = i & 1 ? 0.25f : -0.25f;
        blended[i].y = i & 2 ? -1.0f : 1.0f;
        blended[i].z = 0.5f;
        blended[i].weight = 0.5f;
        blended[i].diffuse = 0xFFFFFF00;
    }
    draw_strip(device, D3DFVF_XYZB1 | D3DFVF_DIFFUSE, blended, sizeof blended[0]);
    EXPECT_AT(device, 38, 32, 0x123456, "blended, left of it");
    EXPECT_AT(device, 48, 32, 0xFFFF00, "blended");
    EXPECT_AT(device, 58, 32, 0x123456, "blended, right of it");
    set(D3DRS_VERTEXBLEND, D3DVBF_DISABLE);

    OK(IDirect3DDevice9_SetClipPlane(device, 0, plane));
    set(D3DRS_CLIPPLANEENABLE, D3DCLIPPLANE0);
    clear(device, 0xFF0000FF);
    square(1, 0.5f, 0xFFFF0000);
    EXPECT_AT(device, 30, 32, 0x0000FF, "clipped");
    EXPECT_AT(device, 34, 32, 0xFF0000, "not clipped");
    set(D3DRS_CLIPPLANEENABLE, 0);

    /* Flat: the first vertex's colour. Clockwise is the front. */
    set(D3DRS_SHADEMODE, D3DSHADE_FLAT);
    set(D3DRS_CULLMODE, D3DCULL_CCW);
    clear(device, 0);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof triangle[0]));
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT(device, 0xFF0000, "flat");
    set(D3DRS_CULLMODE, D3DCULL_CW);
    clear(device, 0x00FF00FF);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof triangle[0]));
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT(device, 0xFF00FF, "culled");
    set(D3DRS_SHADEMODE, D3DSHADE_GOURAUD);
    set(D3DRS_CULLMODE, D3DCULL_NONE);

    /* A point of eight pixels. */
    {
        struct screen point = { 31.5f, 31.5f, 0.5f, 1, 0xFFFFFFFF, 0 };
        set_float(D3DRS_POINTSIZE, 8);
        clear(device, 0);
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR));
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, &point, sizeof point));
        OK(IDirect3DDevice9_EndScene(device));
        EXPECT_AT(device, 28, 28, 0xFFFFFF, "point, its first pixel");
        EXPECT_AT(device, 35, 35, 0xFFFFFF, "point, its last pixel");
        EXPECT_AT(device, 27, 32, 0, "left of the point");
        EXPECT_AT(device, 36, 32, 0, "right of the point");
    }
}

static void output(void)
{
    const double s[3] = { 0x80 / 255.0, 0x40 / 255.0, 0x20 / 255.0 }, a = 0x60 / 255.0;
    const double d[3] = { 0x12 / 255.0, 0x34 / 255.0, 0x56 / 255.0 };
    D3DVIEWPORT9 part = { 16, 0, 32, 64, 0.5f, 1 }, whole = { 0, 0, 64, 64, 0, 1 };
    RECT rect = { 8, 8, 24, 24 };

    /* Alpha test: greater than 0x80. */
    set(D3DRS_ALPHATESTENABLE, TRUE);
    set(D3DRS_ALPHAFUNC, D3DCMP_GREATER);
    set(D3DRS_ALPHAREF, 0x80);
    clear(device, 0xFF123456);
    flat_screen(0, 32, 0.5f, 0x80FF0000, 0);
    flat_screen(32, 64, 0.5f, 0x81FF0000, 0);
    EXPECT_AT(device, 16, 32, 0x123456, "alpha of the reference");
    EXPECT_AT(device, 48, 32, 0xFF0000, "alpha above the reference");
    set(D3DRS_ALPHATESTENABLE, FALSE);

    /* Blending of 0x60804020 over 0x123456. */
    set(D3DRS_ALPHABLENDENABLE, TRUE);
    set(D3DRS_ZENABLE, FALSE);
#define BLEND(source, destination, operation, r, g, b, what) \
    do { \
        set(D3DRS_SRCBLEND, source); \
        set(D3DRS_DESTBLEND, destination); \
        set(D3DRS_BLENDOP, operation); \
        clear(device, 0xFF123456); \
        flat_screen(0, 64, 0.5f, 0x60804020, 0); \
        EXPECT(device, rgb(r, g, b), what); \
    } while (0)
    BLEND(D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD, s[0] * a + d[0] * (1 - a),
          s[1] * a + d[1] * (1 - a), s[2] * a + d[2] * (1 - a), "blend by alpha");
    BLEND(D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD, s[0] + d[0], s[1] + d[1], s[2] + d[2], "add");
    BLEND(D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_SUBTRACT, s[0] - d[0], s[1] - d[1], s[2] - d[2], "subtract");
    BLEND(D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_REVSUBTRACT, d[0] - s[0], d[1] - s[1], d[2] - s[2], "subtract in reverse");
    BLEND(D3DBLEND_ZERO, D3DBLEND_ZERO, D3DBLENDOP_MIN, d[0], d[1], s[2], "minimum");
    BLEND(D3DBLEND_ZERO, D3DBLEND_ZERO, D3DBLENDOP_MAX, s[0], s[1], d[2], "maximum");
    BLEND(D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD, s[0] * d[0], s[1] * d[1], s[2] * d[2], "multiply");
    BLEND(D3DBLEND_INVDESTCOLOR, D3DBLEND_ONE, D3DBLENDOP_ADD, s[0] * (1 - d[0]) + d[0], s[1] * (1 - d[1]) + d[1],
          s[2] * (1 - d[2]) + d[2], "screen");
    BLEND(D3DBLEND_BOTHINVSRCALPHA, D3DBLEND_ONE, D3DBLENDOP_ADD, s[0] * (1 - a) + d[0] * a,
          s[1] * (1 - a) + d[1] * a, s[2] * (1 - a) + d[2] * a, "both by inverse alpha");
    set(D3DRS_BLENDFACTOR, 0xFF4080C0);
    BLEND(D3DBLEND_BLENDFACTOR, D3DBLEND_INVBLENDFACTOR, D3DBLENDOP_ADD,
          s[0] * 0x40 / 255 + d[0] * (1 - 0x40 / 255.0), s[1] * 0x80 / 255 + d[1] * (1 - 0x80 / 255.0),
          s[2] * 0xC0 / 255 + d[2] * (1 - 0xC0 / 255.0), "blend by a factor");
#undef BLEND
    set(D3DRS_ALPHABLENDENABLE, FALSE);

    set(D3DRS_COLORWRITEENABLE, D3DCOLORWRITEENABLE_RED | D3DCOLORWRITEENABLE_BLUE);
    clear(device, 0xFF123456);
    flat_screen(0, 64, 0.5f, 0xFFFFFFFF, 0);
    EXPECT(device, 0xFF34FF, "red and blue alone");
    set(D3DRS_COLORWRITEENABLE, 15);

    OK(IDirect3DDevice9_SetScissorRect(device, &rect));
    clear(device, 0xFF123456);
    set(D3DRS_SCISSORTESTENABLE, TRUE);
    flat_screen(0, 64, 0.5f, 0xFFFFFFFF, 0);
    EXPECT_AT(device, 8, 23, 0xFFFFFF, "inside the scissor rectangle");
    EXPECT_AT(device, 7, 23, 0x123456, "left of the scissor rectangle");
    EXPECT_AT(device, 8, 24, 0x123456, "below the scissor rectangle");
    set(D3DRS_SCISSORTESTENABLE, FALSE);

    /* A viewport of half the depth range: depth 0.2 becomes 0.6, behind 0.5. */
    set(D3DRS_ZENABLE, TRUE);
    clear(device, 0xFF123456);
    flat_screen(0, 32, 0.5f, 0xFF0000FF, 0);
    OK(IDirect3DDevice9_SetViewport(device, &part));
    square(1, 0.2f, 0xFFFF0000);
    OK(IDirect3DDevice9_SetViewport(device, &whole));
    EXPECT_AT(device, 24, 32, 0x0000FF, "behind, by the viewport's depths");
    EXPECT_AT(device, 40, 32, 0xFF0000, "in the viewport");
    EXPECT_AT(device, 50, 32, 0x123456, "right of the viewport");

    /* Stencil: the left half counts to 3, and only there is drawn. */
    set(D3DRS_ZENABLE, FALSE);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_STENCIL, 0xFF123456, 1, 1));
    set(D3DRS_STENCILENABLE, TRUE);
    set(D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
    flat_screen(0, 32, 0.5f, 0xFF0000FF, 0);
    flat_screen(0, 32, 0.5f, 0xFF0000FF, 0);
    set(D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
    set(D3DRS_STENCILFUNC, D3DCMP_EQUAL);
    set(D3DRS_STENCILREF, 3);
    flat_screen(0, 64, 0.5f, 0xFF00FF00, 0);
    EXPECT_AT(device, 16, 32, 0x00FF00, "stencil equal");
    EXPECT_AT(device, 48, 32, 0x123456, "stencil not equal");
    set(D3DRS_STENCILMASK, 1);
    set(D3DRS_STENCILREF, 1);
    flat_screen(0, 64, 0.5f, 0xFFFF00FF, 0);
    EXPECT_AT(device, 48, 32, 0xFF00FF, "stencil equal under its mask");
    set(D3DRS_STENCILENABLE, FALSE);

    /* Half of light is 188 of 255 on the screen. */
    set(D3DRS_SRGBWRITEENABLE, TRUE);
    clear(device, 0xFF000000);
    flat_screen(0, 64, 0.5f, 0xFF808080, 0);
    EXPECT(device, 0xBCBCBC, "written as sRGB");
    set(D3DRS_SRGBWRITEENABLE, FALSE);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    set(D3DRS_LIGHTING, FALSE);
    set(D3DRS_CULLMODE, D3DCULL_NONE);
    fog();
    coordinates();
    addressing();
    formats(d3d);
    geometry();
    output();
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("pipeline");
}
