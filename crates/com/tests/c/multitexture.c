/* The texture cascade: operations, arguments, modifiers, TEMP, TEXTUREFACTOR, and bump mapping. */
#include "common.h"

struct vertex {
    float x, y, z, rhw;
    DWORD diffuse, specular;
    float u0, v0, u1, v1;
};

#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2)

/* Diffuse 0x80, 0x40, 0x20, alpha 0xC0. */
#define DIFFUSE 0xC0804020

static IDirect3DDevice9 *device;

static void draw_at(float u0, float v0, float u1, float v1)
{
    struct vertex quad[4];
    int i;
    for (i = 0; i < 4; i++) {
        struct vertex v = { (i & 1) * EDGE - 0.5f, (i >> 1) * EDGE - 0.5f, 0.5f, 1, DIFFUSE,
                            0xFF102030, u0, v0, u1, v1 };
        quad[i] = v;
    }
    draw_strip(device, FVF, quad, sizeof quad[0]);
}

static void draw(void)
{
    draw_at(0.5f, 0.5f, 0.5f, 0.5f);
}

static void stage(DWORD n, DWORD op, DWORD arg1, DWORD arg2)
{
    OK(IDirect3DDevice9_SetTextureStageState(device, n, D3DTSS_COLOROP, op));
    OK(IDirect3DDevice9_SetTextureStageState(device, n, D3DTSS_COLORARG1, arg1));
    OK(IDirect3DDevice9_SetTextureStageState(device, n, D3DTSS_COLORARG2, arg2));
}

static void stop(DWORD n)
{
    OK(IDirect3DDevice9_SetTextureStageState(device, n, D3DTSS_COLOROP, D3DTOP_DISABLE));
}

static double c(unsigned v)
{
    return v / 255.0;
}

static DWORD as_dword(float f)
{
    DWORD d;
    memcpy(&d, &f, 4);
    return d;
}

static void operations(IDirect3DTexture9 *a, IDirect3DTexture9 *b)
{
    /* Texture a: alpha 0x40, red 0x60, green 0x90, blue 0xF0. */
    const double t[3] = { c(0x60), c(0x90), c(0xF0) }, ta = c(0x40);
    const double d[3] = { c(0x80), c(0x40), c(0x20) }, da = c(0xC0);
    const double f[3] = { c(0x30), c(0x50), c(0x70) }, fa = c(0xA0);
    double dot;
    int i;
#define CASE(op, expression) \
    do { \
        double v[3]; \
        for (i = 0; i < 3; i++) v[i] = (expression); \
        stage(0, op, D3DTA_TEXTURE, D3DTA_DIFFUSE); \
        draw(); \
        EXPECT(device, rgb(v[0], v[1], v[2]), #op); \
    } while (0)

    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)a));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 0xA0305070));
    stop(1);
    CASE(D3DTOP_SELECTARG1, t[i]);
    CASE(D3DTOP_SELECTARG2, d[i]);
    CASE(D3DTOP_MODULATE, t[i] * d[i]);
    CASE(D3DTOP_MODULATE2X, t[i] * d[i] * 2);
    CASE(D3DTOP_MODULATE4X, t[i] * d[i] * 4);
    CASE(D3DTOP_ADD, t[i] + d[i]);
    CASE(D3DTOP_ADDSIGNED, t[i] + d[i] - 0.5);
    CASE(D3DTOP_ADDSIGNED2X, (t[i] + d[i] - 0.5) * 2);
    CASE(D3DTOP_SUBTRACT, t[i] - d[i]);
    CASE(D3DTOP_ADDSMOOTH, t[i] + d[i] - t[i] * d[i]);
    CASE(D3DTOP_BLENDDIFFUSEALPHA, t[i] * da + d[i] * (1 - da));
    CASE(D3DTOP_BLENDTEXTUREALPHA, t[i] * ta + d[i] * (1 - ta));
    CASE(D3DTOP_BLENDFACTORALPHA, t[i] * fa + d[i] * (1 - fa));
    CASE(D3DTOP_BLENDTEXTUREALPHAPM, t[i] + d[i] * (1 - ta));
    CASE(D3DTOP_BLENDCURRENTALPHA, t[i] * da + d[i] * (1 - da));
    CASE(D3DTOP_MODULATEALPHA_ADDCOLOR, t[i] + ta * d[i]);
    CASE(D3DTOP_MODULATECOLOR_ADDALPHA, t[i] * d[i] + ta);
    CASE(D3DTOP_MODULATEINVALPHA_ADDCOLOR, (1 - ta) * d[i] + t[i]);
    CASE(D3DTOP_MODULATEINVCOLOR_ADDALPHA, (1 - t[i]) * d[i] + ta);
    dot = 0;
    for (i = 0; i < 3; i++)
        dot += (t[i] - 0.5) * (d[i] - 0.5) * 4;
    CASE(D3DTOP_DOTPRODUCT3, dot);
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG0, D3DTA_TFACTOR));
    CASE(D3DTOP_MULTIPLYADD, f[i] + t[i] * d[i]);
    CASE(D3DTOP_LERP, f[i] * t[i] + (1 - f[i]) * d[i]);
#undef CASE

    /* Modifiers. */
    stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE | D3DTA_COMPLEMENT, 0);
    draw();
    EXPECT(device, rgb(1 - t[0], 1 - t[1], 1 - t[2]), "COMPLEMENT");
    stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE | D3DTA_ALPHAREPLICATE, 0);
    draw();
    EXPECT(device, rgb(ta, ta, ta), "ALPHAREPLICATE");
    stage(0, D3DTOP_SELECTARG1, D3DTA_SPECULAR, 0);
    draw();
    EXPECT(device, 0x102030, "SPECULAR");
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_CONSTANT, 0xFF112233));
    stage(0, D3DTOP_SELECTARG1, D3DTA_CONSTANT, 0);
    draw();
    EXPECT(device, 0x112233, "the stage's own constant");

    /* A second stage on the first one's result. */
    OK(IDirect3DDevice9_SetTexture(device, 1, (IDirect3DBaseTexture9 *)b));
    stage(0, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_DIFFUSE);
    stage(1, D3DTOP_ADD, D3DTA_TEXTURE, D3DTA_CURRENT);
    draw();
    EXPECT(device, rgb(t[0] * d[0] + c(0x10), t[1] * d[1] + c(0x20), t[2] * d[2] + c(0x40)),
           "two stages");

    /* TEMP keeps a result beside CURRENT: current stays the diffuse colour. */
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_RESULTARG, D3DTA_TEMP));
    stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
    stage(1, D3DTOP_SUBTRACT, D3DTA_TEMP, D3DTA_CURRENT);
    draw();
    EXPECT(device, rgb(t[0] - d[0], t[1] - d[1], t[2] - d[2]), "TEMP");
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_RESULTARG, D3DTA_CURRENT));

    /* D3DRS_SPECULARENABLE adds the specular colour after the cascade. */
    stop(1);
    stage(0, D3DTOP_SELECTARG1, D3DTA_DIFFUSE, 0);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SPECULARENABLE, TRUE));
    draw();
    EXPECT(device, 0x906050, "specular added");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SPECULARENABLE, FALSE));
}

/* u' = u + M00 du + M10 dv, v' = v + M01 du + M11 dv. */
static void bump(IDirect3D9 *d3d)
{
    static const DWORD row[4] = { 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF };
    DWORD texels[16];
    IDirect3DTexture9 *colors, *offsets = NULL;
    D3DLOCKED_RECT locked;
    int x, y;

    if (FAILED(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE,
                                            D3DFMT_V8U8))) {
        printf("multitexture: no V8U8, no bump mapping\n");
        return;
    }
    /* The column picks the colour, the row darkens it to a quarter in steps. */
    for (y = 0; y < 4; y++)
        for (x = 0; x < 4; x++)
            texels[y * 4 + x] = y == 0 ? row[x] : 0xFF000000 | (row[x] & 0x404040u * (unsigned)y);
    colors = make_texture(device, 4, 4, texels);
    OK(IDirect3DDevice9_CreateTexture(device, 1, 1, 1, 0, D3DFMT_V8U8, D3DPOOL_MANAGED, &offsets, NULL));
    OK(IDirect3DTexture9_LockRect(offsets, 0, &locked, NULL, 0));
    ((signed char *)locked.pBits)[0] = 127; /* du = 1 */
    ((signed char *)locked.pBits)[1] = -127; /* dv = -1 */
    OK(IDirect3DTexture9_UnlockRect(offsets, 0));

    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)offsets));
    OK(IDirect3DDevice9_SetTexture(device, 1, (IDirect3DBaseTexture9 *)colors));
    stage(0, D3DTOP_BUMPENVMAP, D3DTA_TEXTURE, D3DTA_CURRENT);
    stage(1, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
    stop(2);

    /* No offset: texel (0, 0). */
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT00, as_dword(0)));
    draw_at(0.5f, 0.5f, 0.125f, 0.125f);
    EXPECT(device, 0xFF0000, "bump, no offset");
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT00, as_dword(0.25f)));
    draw_at(0.5f, 0.5f, 0.125f, 0.125f);
    EXPECT(device, 0x00FF00, "bump, du to u");
    /* M10 is what dv gives to u: -1 * -0.25. */
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT10, as_dword(-0.25f)));
    draw_at(0.5f, 0.5f, 0.125f, 0.125f);
    EXPECT(device, 0x0000FF, "bump, du and dv to u");
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT10, as_dword(0)));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT00, as_dword(0)));
    /* M01 is what du gives to v, M11 what dv gives to v. */
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT01, as_dword(0.5f)));
    draw_at(0.5f, 0.5f, 0.125f, 0.125f);
    EXPECT(device, 0x800000, "bump, du to v");
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_BUMPENVMAT11, as_dword(-0.25f)));
    draw_at(0.5f, 0.5f, 0.125f, 0.125f);
    EXPECT(device, 0xC00000, "bump, du and dv to v");

    IDirect3DTexture9_Release(colors);
    IDirect3DTexture9_Release(offsets);
}

int main(void)
{
    static const DWORD a[1] = { 0x406090F0 }, b[1] = { 0xFF102040 };
    IDirect3D9 *d3d = make_d3d();
    IDirect3DTexture9 *first, *second;

    device = make_device(d3d);
    first = make_texture(device, 1, 1, a);
    second = make_texture(device, 1, 1, b);
    operations(first, second);
    bump(d3d);
    IDirect3DTexture9_Release(first);
    IDirect3DTexture9_Release(second);

    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("multitexture");
}
