/* What drivers offered beside the documentation, by codes: alpha to coverage, depth copied into a
 * texture, depth textures that are read and not compared. And depth that is copied between
 * surfaces, its first contents, and its borders. */
#include "visual.h"

#define INTZ ((D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'))
#define RESZ ((D3DFORMAT)MAKEFOURCC('R', 'E', 'S', 'Z'))
#define ATOC ((D3DFORMAT)MAKEFOURCC('A', 'T', 'O', 'C'))
#define INST ((D3DFORMAT)MAKEFOURCC('I', 'N', 'S', 'T'))
#define A2M1 MAKEFOURCC('A', '2', 'M', '1')
#define A2M0 MAKEFOURCC('A', '2', 'M', '0')
#define RESZ_NOW 0x7FA05000

/* ps_2_0: dcl t0; dcl_2d s0; texld r0, t0, s0; mov oC0, r0 */
static const DWORD sample[] = {0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000,
                               0xA00F0800, 0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001,
                               0x800F0800, 0x80E40000, 0x0000FFFF};

static IDirect3DSurface9 *back, *own;
static int has_samples;

/* A rectangle of pixels at a depth. */
static void fill(float left, float right, float z, DWORD color)
{
    struct {
        float x, y, z, w;
        DWORD color;
    } v[4] = {{left - 0.5f, -0.5f, z, 1, color},
              {right - 0.5f, -0.5f, z, 1, color},
              {left - 0.5f, EDGE - 0.5f, z, 1, color},
              {right - 0.5f, EDGE - 0.5f, z, 1, color}};
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
}

/* The texture over the back buffer, from -1 to 2 of it, compared with a reference. */
static void show(IDirect3DTexture9 *texture, float from, float to, float reference)
{
    struct {
        float x, y, z, w, u, v, r;
    } v[4] = {{-0.5f, -0.5f, 0, 1, from, from, reference},
              {EDGE - 0.5f, -0.5f, 0, 1, to, from, reference},
              {-0.5f, EDGE - 0.5f, 0, 1, from, to, reference},
              {EDGE - 0.5f, EDGE - 0.5f, 0, 1, to, to, reference}};
    target(0, back);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    state(D3DRS_ZENABLE, FALSE);
    use_ps(sample);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
    draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
    use_ps(NULL);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
}

static IDirect3DSurface9 *make_depth(D3DFORMAT format, DWORD samples)
{
    IDirect3DSurface9 *surface = NULL;
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, format, (D3DMULTISAMPLE_TYPE)samples, 0, FALSE,
                                                  &surface, NULL));
    return surface;
}

static IDirect3DSurface9 *make_color(DWORD samples)
{
    IDirect3DSurface9 *surface = NULL;
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, (D3DMULTISAMPLE_TYPE)samples, 0, FALSE,
                                           &surface, NULL));
    return surface;
}

static void names(void)
{
    const D3DFORMAT screen = D3DFMT_X8R8G8B8;
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, screen, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, RESZ));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, screen, 0, D3DRTYPE_SURFACE, ATOC));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, screen, 0, D3DRTYPE_SURFACE, INST));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, screen, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE, INTZ));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, screen, D3DUSAGE_RENDERTARGET,
                                                         D3DRTYPE_SURFACE, ATOC));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, screen, D3DUSAGE_DEPTHSTENCIL,
                                                         D3DRTYPE_SURFACE, RESZ));
}

/* The share of a pixel's samples that white of this alpha covers. */
static int covered(IDirect3DSurface9 *many, DWORD alpha)
{
    IDirect3DSurface9 *single = make_color(0);
    int share;
    target(0, many);
    clear_target(0xFF000000);
    fill(0, EDGE, 0.5f, alpha << 24 | 0xFFFFFF);
    OK(IDirect3DDevice9_StretchRect(device, many, NULL, single, NULL, D3DTEXF_NONE));
    share = surface_pixel(device, single, 5, 5) & 0xFF;
    IDirect3DSurface9_Release(single);
    return share;
}

static void coverage(void)
{
    static const struct {
        D3DRENDERSTATETYPE state;
        DWORD value;
        BOOL on;
    } steps[] = {
        {D3DRS_ADAPTIVETESS_Y, 0, FALSE},       {D3DRS_ADAPTIVETESS_Y, ATOC, TRUE}, {D3DRS_POINTSIZE, A2M0, TRUE},
        {D3DRS_ADAPTIVETESS_Y, 1, FALSE},       {D3DRS_POINTSIZE, A2M1, TRUE},      {D3DRS_POINTSIZE, 0x40800000, TRUE},
        {D3DRS_ADAPTIVETESS_Y, 0, TRUE},        {D3DRS_POINTSIZE, A2M0, FALSE},
    };
    IDirect3DSurface9 *many = make_color(4), *lockable = NULL;
    IDirect3DStateBlock9 *block = NULL;
    unsigned i;
    int last = 0, alpha;
    state(D3DRS_ZENABLE, FALSE);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    for (i = 0; i < sizeof steps / sizeof *steps; i++) {
        int share;
        DWORD got;
        state(steps[i].state, steps[i].value);
        OK(IDirect3DDevice9_GetRenderState(device, steps[i].state, &got));
        CHECK(got == steps[i].value, "step %u: the state is %#x", i, (unsigned)got);
        share = covered(many, 0x70);
        CHECK(steps[i].on ? share > 0 && share < 255 : share == 255, "step %u: %d of 255", i, share);
    }
    state(D3DRS_ADAPTIVETESS_Y, ATOC);
    for (alpha = 0; alpha < 256; alpha += 15) {
        int share = covered(many, alpha);
        CHECK(share >= last, "alpha %d covers %d, less than %d", alpha, share, last);
        last = share;
    }
    CHECK(covered(many, 0) == 0 && covered(many, 255) == 255, "alpha 0 and 1");
    /* Of one sample there is nothing to cover. */
    target(0, back);
    clear_target(0xFF000000);
    fill(0, EDGE, 0.5f, 0x10FFFFFF);
    EXPECT_ARGB(back, 5, 5, 0x10FFFFFF, "one sample");
    state(D3DRS_ADAPTIVETESS_Y, 0);
    /* A code in a state block counts when the block is applied. */
    OK(IDirect3DDevice9_BeginStateBlock(device));
    state(D3DRS_POINTSIZE, A2M1);
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    CHECK(covered(many, 0x70) == 255, "recorded");
    OK(IDirect3DStateBlock9_Apply(block));
    CHECK(covered(many, 0x70) < 255, "applied");
    IDirect3DStateBlock9_Release(block);
    state(D3DRS_POINTSIZE, A2M0);
    /* A multisampled target may be asked for as lockable. */
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, TRUE, &lockable,
                                           NULL));
    if (lockable)
        IDirect3DSurface9_Release(lockable);
    target(0, back);
    IDirect3DSurface9_Release(many);
}

/* The left half of the depth at a quarter, the right at three quarters. */
static void halves(IDirect3DSurface9 *color, IDirect3DSurface9 *depth)
{
    target(0, color);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.75f, 0));
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZFUNC, D3DCMP_ALWAYS);
    fill(0, EDGE / 2, 0.25f, 0xFFFFFFFF);
}

static void resz(DWORD samples)
{
    IDirect3DSurface9 *color = make_color(samples), *depth = make_depth(D3DFMT_D24S8, samples), *level = NULL;
    IDirect3DTexture9 *texture = NULL;
    struct {
        float x, y, z, w;
    } point = {0, 0, 0, 1};
    OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL, INTZ, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    target(0, back);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, level));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0));
    halves(color, depth);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    /* The protocol: a draw that changes nothing, then the code. */
    state(D3DRS_ZENABLE, FALSE);
    state(D3DRS_ZWRITEENABLE, FALSE);
    state(D3DRS_COLORWRITEENABLE, 0);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    draw_up(D3DPT_POINTLIST, 1, &point, sizeof point);
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZWRITEENABLE, TRUE);
    state(D3DRS_COLORWRITEENABLE, 15);
    state(D3DRS_POINTSIZE, RESZ_NOW);
    show(texture, 0, 1, 0.5f);
    EXPECT_ARGB(back, 5, 5, 0x40404040, "resolved, left");
    EXPECT_ARGB(back, 31, 60, 0x40404040, "resolved, left of the edge");
    EXPECT_ARGB(back, 32, 60, 0xBFBFBFBF, "resolved, right");
    /* The code counts each time it is set. */
    target(0, color);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.5f, 0));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    state(D3DRS_POINTSIZE, RESZ_NOW);
    show(texture, 0, 1, 0.5f);
    EXPECT_ARGB(back, 5, 5, 0x80808080, "resolved again");
    /* Nothing to read from, and nothing to write to. */
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    state(D3DRS_POINTSIZE, RESZ_NOW);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
    state(D3DRS_POINTSIZE, RESZ_NOW);
    show(texture, 0, 1, 0.5f);
    EXPECT_ARGB(back, 5, 5, 0x80808080, "nothing bound");
    state(D3DRS_POINTSIZE, 0x3F800000);
    IDirect3DSurface9_Release(level);
    IDirect3DTexture9_Release(texture);
    IDirect3DSurface9_Release(depth);
    IDirect3DSurface9_Release(color);
}

/* Whether a quad at a depth passes at a pixel of a target with several samples or one. */
static int passes(IDirect3DSurface9 *color, IDirect3DSurface9 *single, int x, float z)
{
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZWRITEENABLE, FALSE);
    state(D3DRS_ZFUNC, D3DCMP_LESS);
    clear_target(0);
    fill(0, EDGE, z, 0xFFFFFFFF);
    state(D3DRS_ZWRITEENABLE, TRUE);
    OK(IDirect3DDevice9_StretchRect(device, color, NULL, single, NULL, D3DTEXF_NONE));
    return surface_pixel(device, single, x, 5) == 0xFFFFFFFF;
}

static void copies(void)
{
    static const struct {
        D3DFORMAT from, to;
        HRESULT hr;
    } formats[] = {
        {D3DFMT_D24S8, D3DFMT_D24S8, D3D_OK}, {D3DFMT_D24S8, INTZ, D3D_OK},
        {INTZ, D3DFMT_D24S8, D3D_OK},         {D3DFMT_D16, D3DFMT_D16, D3D_OK},
        {D3DFMT_D24S8, D3DFMT_D24X8, D3DERR_INVALIDCALL}, {D3DFMT_D16, INTZ, D3DERR_INVALIDCALL},
    };
    unsigned i, k;
    for (i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (k = 0; k < (has_samples ? 4u : 1u); k++) {
            DWORD from_samples = k & 1 ? 4 : 0, to_samples = k & 2 ? 4 : 0;
            IDirect3DSurface9 *from = make_depth(formats[i].from, from_samples),
                              *to = make_depth(formats[i].to, to_samples), *source = make_color(from_samples),
                              *color = make_color(to_samples), *single = make_color(0);
            target(0, color);
            OK(IDirect3DDevice9_SetDepthStencilSurface(device, to));
            OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0));
            halves(source, from);
            HR(formats[i].hr, IDirect3DDevice9_StretchRect(device, from, NULL, to, NULL, D3DTEXF_POINT));
            target(0, color);
            OK(IDirect3DDevice9_SetDepthStencilSurface(device, to));
            if (formats[i].hr == D3D_OK) {
                CHECK(passes(color, single, 5, 0.2f) && !passes(color, single, 5, 0.3f), "case %u, %u: left", i, k);
                CHECK(passes(color, single, 50, 0.7f) && !passes(color, single, 50, 0.8f), "case %u, %u: right", i, k);
            } else {
                CHECK(passes(color, single, 5, 0.8f), "case %u, %u: refused", i, k);
            }
            target(0, back);
            OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
            IDirect3DSurface9_Release(single);
            IDirect3DSurface9_Release(color);
            IDirect3DSurface9_Release(source);
            IDirect3DSurface9_Release(to);
            IDirect3DSurface9_Release(from);
        }
    }
}

/* Depth surfaces begin at 0, the device's own at 1. */
static void beginnings(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_D16, D3DFMT_D24X8, D3DFMT_D24S8, INTZ};
    unsigned i;
    state(D3DRS_ZENABLE, TRUE);
    state(D3DRS_ZWRITEENABLE, FALSE);
    state(D3DRS_ZFUNC, D3DCMP_EQUAL);
    clear_target(0xFF000000);
    fill(0, EDGE, 1, 0xFFFFFFFF);
    EXPECT_ARGB(back, 5, 5, 0xFFFFFFFF, "the device's own");
    for (i = 0; i < sizeof formats / sizeof *formats; i++) {
        IDirect3DTexture9 *texture = NULL;
        IDirect3DSurface9 *surfaces[2] = {make_depth(formats[i], 0), NULL};
        int k;
        OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL, formats[i], D3DPOOL_DEFAULT,
                                          &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surfaces[1]));
        for (k = 0; k < 2; k++) {
            OK(IDirect3DDevice9_SetDepthStencilSurface(device, surfaces[k]));
            clear_target(0xFF000000);
            fill(0, EDGE, 0, 0xFFFFFFFF);
            EXPECT_ARGB(back, 5, 5, 0xFFFFFFFF, "one of the program's");
            OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
            IDirect3DSurface9_Release(surfaces[k]);
        }
        IDirect3DTexture9_Release(texture);
    }
    state(D3DRS_ZWRITEENABLE, TRUE);
}

/* The red of a border is its depth. */
static void borders(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_D24S8, INTZ};
    unsigned i;
    for (i = 0; i < 2; i++) {
        static const struct {
            DWORD color;
            float reference;
            DWORD outside;
        } cases[] = {
            {0xFF800000, 0.4f, 0xFFFFFFFF}, {0xFF800000, 0.7f, 0},          {0x00FFFFFF, 0.9f, 0xFFFFFFFF},
            {0xFF00FFFF, 0.1f, 0},          {0xFFFF0000, 0.9f, 0xFFFFFFFF}, {0xFF60A0C0, 0.5f, 0},
        };
        IDirect3DTexture9 *texture = NULL;
        IDirect3DSurface9 *level = NULL;
        unsigned k;
        OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL, formats[i], D3DPOOL_DEFAULT,
                                          &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
        halves(back, level);
        OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSU, D3DTADDRESS_BORDER));
        OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSV, D3DTADDRESS_BORDER));
        for (k = 0; k < sizeof cases / sizeof *cases; k++) {
            DWORD red = cases[k].color >> 16 & 0xFF;
            OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_BORDERCOLOR, cases[k].color));
            show(texture, -1, 2, cases[k].reference);
            EXPECT_ARGB(back, 5, 5, i ? red * 0x01010101 : cases[k].outside, "the border");
            EXPECT_ARGB(back, 25, 30, i ? 0x40404040 : cases[k].reference < 0.25f ? 0xFFFFFFFF : 0, "the texture");
        }
        OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP));
        OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSV, D3DTADDRESS_WRAP));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
        IDirect3DSurface9_Release(level);
        IDirect3DTexture9_Release(texture);
    }
}

int main(void)
{
    start();
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &own));
    has_samples = IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE,
                                                        D3DMULTISAMPLE_4_SAMPLES, NULL) == D3D_OK;
    beginnings();
    names();
    if (has_samples)
        coverage();
    resz(0);
    if (has_samples)
        resz(4);
    copies();
    borders();
    target(0, back);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
    IDirect3DSurface9_Release(own);
    IDirect3DSurface9_Release(back);
    return stop("driver_features");
}
