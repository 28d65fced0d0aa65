/* Depth: biases, viewport ranges, surfaces of other sizes than the target, and depth textures that
 * samplers compare with or read. */
#include "common.h"

typedef struct {
    float x, y, z, w;
    DWORD color;
} Vertex;

static DWORD bits(float value)
{
    DWORD word;
    memcpy(&word, &value, 4);
    return word;
}

/* A quad over everything whose depth goes from `left` to `right`. */
static void sloped(IDirect3DDevice9 *device, float left, float right, DWORD color)
{
    Vertex v[4] = {
        {0, 0, left, 1, color}, {EDGE, 0, right, 1, color}, {0, EDGE, left, 1, color}, {EDGE, EDGE, right, 1, color}};
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof *v));
    OK(IDirect3DDevice9_EndScene(device));
}

static void flat(IDirect3DDevice9 *device, float z, DWORD color)
{
    sloped(device, z, z, color);
}

/* The depth at the centre, found by tests against it. */
static float depth(IDirect3DDevice9 *device)
{
    float low = 0, high = 1;
    int i;
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_DEPTHBIAS, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SLOPESCALEDEPTHBIAS, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZWRITEENABLE, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL));
    for (i = 0; i < 16; i++) {
        float middle = (low + high) / 2;
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF000000, 1, 0));
        flat(device, middle, 0xFFFFFFFF);
        if (pixel(device, 32, 32) & 0xFF)
            low = middle;
        else
            high = middle;
    }
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZWRITEENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_ALWAYS));
    return low;
}

static void biases(IDirect3DDevice9 *device)
{
    static const struct {
        float bias, slope, left, right, expected;
    } cases[] = {
        {0, 0, 0.5f, 0.5f, 0.5f},
        {0.01f, 0, 0.5f, 0.5f, 0.51f},
        {-0.25f, 0, 0.5f, 0.5f, 0.25f},
        {0.0001f, 0, 0.5f, 0.5f, 0.5001f},
        {0, 4, 0.5f, 0.5f, 0.5f},
        /* Half the range over 64 pixels: 1/128 a pixel. */
        {0, 4, 0.25f, 0.75f, 0.5f + 4 / 128.0f},
        {0.01f, -4, 0.25f, 0.75f, 0.51f - 4 / 128.0f},
    };
    unsigned i;
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_ALWAYS));
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        float found;
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_DEPTHBIAS, bits(cases[i].bias)));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SLOPESCALEDEPTHBIAS, bits(cases[i].slope)));
        sloped(device, cases[i].left, cases[i].right, 0xFFFF0000);
        found = depth(device);
        CHECK(fabsf(found - cases[i].expected) < 0.0002f, "bias %g slope %g: %g, not %g", cases[i].bias, cases[i].slope,
              found, cases[i].expected);
    }
}

/* The range of a viewport is never less than a thousandth. */
static void ranges(IDirect3DDevice9 *device)
{
    static const struct {
        float from, to, z, expected;
    } cases[] = {
        {0.25f, 0.75f, 0.5f, 0.5f},
        {0.5f, 0.5f, 0.25f, 0.50025f},
        {0.9f, 0.1f, 0.25f, 0.90025f},
    };
    D3DVIEWPORT9 viewport = {0, 0, EDGE, EDGE, 0, 1}, got;
    unsigned i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        float found;
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0));
        viewport.MinZ = cases[i].from;
        viewport.MaxZ = cases[i].to;
        OK(IDirect3DDevice9_SetViewport(device, &viewport));
        OK(IDirect3DDevice9_GetViewport(device, &got));
        CHECK(got.MinZ == viewport.MinZ && got.MaxZ == viewport.MaxZ, "it is %g to %g", got.MinZ, got.MaxZ);
        flat(device, cases[i].z, 0xFFFF0000);
        viewport.MinZ = 0;
        viewport.MaxZ = 1;
        OK(IDirect3DDevice9_SetViewport(device, &viewport));
        found = depth(device);
        CHECK(fabsf(found - cases[i].expected) < 0.0001f, "%g to %g: %g, not %g", cases[i].from, cases[i].to, found,
              cases[i].expected);
    }
}

static void sizes(IDirect3DDevice9 *device)
{
    static const int edges[] = {32, 128};
    IDirect3DSurface9 *own = NULL;
    int i;
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &own));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL));
    for (i = 0; i < 2; i++) {
        IDirect3DSurface9 *other = NULL;
        BOOL large = edges[i] > EDGE;
        OK(IDirect3DDevice9_CreateDepthStencilSurface(device, edges[i], edges[i], D3DFMT_D24S8, 0, 0, FALSE, &other, NULL));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, other));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF00FF00, 1, 0));
        /* Nothing is cleared where depth does not cover the target. */
        CHECK(pixel(device, 10, 10) == (large ? 0xFF00FF00 : 0xFF0000FF), "depth of %d: cleared inside", edges[i]);
        CHECK(pixel(device, 50, 50) == (large ? 0xFF00FF00 : 0xFF0000FF), "depth of %d: cleared outside", edges[i]);
        flat(device, 0.5f, 0xFFFF0000);
        flat(device, 0.75f, 0xFFFFFF00);
        CHECK(pixel(device, 10, 10) == (large ? 0xFFFF0000 : 0xFFFFFF00), "depth of %d: inside", edges[i]);
        CHECK(pixel(device, 50, 50) == (large ? 0xFFFF0000 : 0xFFFFFF00), "depth of %d: outside", edges[i]);
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
        IDirect3DSurface9_Release(other);
    }
    IDirect3DSurface9_Release(own);
}

/* A depth texture half at 0.25 and half at 0.75 on stage 0, sampled with (u, v, reference). */
static void textures(IDirect3D9 *d3d, IDirect3DDevice9 *device)
{
    static const D3DFORMAT formats[] = {D3DFMT_D16, D3DFMT_D24X8, D3DFMT_D24S8, (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z')};
    /* ps_2_0: dcl t0; dcl_2d s0; texld r0, t0, s0; mov oC0, r0 */
    static const DWORD code[] = {0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000,
                                 0xA00F0800, 0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001,
                                 0x800F0800, 0x80E40000, 0x0000FFFF};
    IDirect3DPixelShader9 *shader = NULL;
    IDirect3DSurface9 *own = NULL;
    unsigned i, k;
    OK(IDirect3DDevice9_CreatePixelShader(device, code, &shader));
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &own));
    for (i = 0; i < sizeof formats / sizeof *formats; i++) {
        static const struct {
            float u, reference;
            BOOL passes;
        } cases[] = {{0.25f, 0.2f, TRUE}, {0.25f, 0.5f, FALSE}, {0.75f, 0.5f, TRUE}, {0.75f, 0.9f, FALSE}};
        IDirect3DTexture9 *texture = NULL;
        IDirect3DSurface9 *surface = NULL;
        D3DRECT left = {0, 0, EDGE / 2, EDGE};
        if (FAILED(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_DEPTHSTENCIL,
                                                D3DRTYPE_TEXTURE, formats[i])))
            continue;
        OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL, formats[i], D3DPOOL_DEFAULT, &texture,
                                          NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, surface));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.75f, 0));
        OK(IDirect3DDevice9_Clear(device, 1, &left, D3DCLEAR_ZBUFFER, 0, 0.25f, 0));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, own));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE));
        OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
        OK(IDirect3DDevice9_SetPixelShader(device, shader));
        for (k = 0; k < 4; k++) {
            struct {
                float x, y, z, w, u, v, t;
            } v[4] = {{0, 0, 0, 1, 0, 0, 0}, {EDGE, 0, 0, 1, 0, 0, 0}, {0, EDGE, 0, 1, 0, 0, 0}, {EDGE, EDGE, 0, 1, 0, 0, 0}};
            int n, red;
            for (n = 0; n < 4; n++) {
                v[n].u = cases[k].u;
                v[n].v = 0.5f;
                v[n].t = cases[k].reference;
            }
            OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
            OK(IDirect3DDevice9_BeginScene(device));
            OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof *v));
            OK(IDirect3DDevice9_EndScene(device));
            red = pixel(device, 32, 32) >> 16 & 0xFF;
            if (i == 3)
                CHECK(abs(red - (k < 2 ? 64 : 191)) <= 1, "INTZ at %g reads %d", cases[k].u, red);
            else
                CHECK(red == (cases[k].passes ? 255 : 0), "format %d at %g, %g reads %d", (int)formats[i], cases[k].u,
                      cases[k].reference, red);
        }
        OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
        OK(IDirect3DDevice9_SetPixelShader(device, NULL));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE));
        IDirect3DSurface9_Release(surface);
        IDirect3DTexture9_Release(texture);
    }
    IDirect3DPixelShader9_Release(shader);
    IDirect3DSurface9_Release(own);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DDevice9 *device = make_device(d3d);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    biases(device);
    ranges(device);
    sizes(device);
    textures(d3d, device);
    IDirect3DDevice9_Release(device);
    IDirect3D9_Release(d3d);
    return finish("depth");
}
