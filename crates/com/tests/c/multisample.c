/* Multisampled targets: types and quality levels, edges, the sample mask, copies and resolves,
 * depth surfaces that do not match; and the depth of pretransformed vertices. */
#include "common.h"

typedef struct {
    float x, y, z, w;
    DWORD color;
} Vertex;

static void draw_quad(IDirect3DDevice9 *device, float left, float top, float right, float bottom, float z, DWORD color)
{
    Vertex v[4] = {
        {left, top, z, 1, color}, {right, top, z, 1, color}, {left, bottom, z, 1, color}, {right, bottom, z, 1, color}};
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof *v));
    OK(IDirect3DDevice9_EndScene(device));
}

/* A pixel of a multisampled target, resolved by StretchRect. */
static DWORD resolved(IDirect3DDevice9 *device, IDirect3DSurface9 *surface, int x, int y)
{
    IDirect3DSurface9 *single = NULL;
    DWORD value;
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &single, NULL));
    OK(IDirect3DDevice9_StretchRect(device, surface, NULL, single, NULL, D3DTEXF_NONE));
    value = surface_pixel(device, single, x, y);
    IDirect3DSurface9_Release(single);
    return value;
}

static void types(IDirect3D9 *d3d, IDirect3DDevice9 *device)
{
    D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_D24S8};
    IDirect3DSurface9 *surface;
    DWORD levels, type;
    unsigned i;
    INVALID(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, TRUE, D3DMULTISAMPLE_NONE, NULL));
    INVALID(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE, 17, NULL));
    for (i = 0; i < 2; i++) {
        for (type = 0; type <= 16; type++) {
            HRESULT hr = IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, formats[i], TRUE, type, &levels);
            DWORD quality, most = SUCCEEDED(hr) ? levels : 0;
            CHECK(SUCCEEDED(hr) || hr == D3DERR_NOTAVAILABLE, "type %lu gave %#x", (unsigned long)type, (unsigned)hr);
            if (type != D3DMULTISAMPLE_NONMASKABLE && SUCCEEDED(hr))
                CHECK(levels == 1, "type %lu has %lu quality levels", (unsigned long)type, (unsigned long)levels);
            for (quality = type ? 0 : 1; quality <= most; quality++) {
                BOOL fits = quality < most || type == D3DMULTISAMPLE_NONE;
                surface = (IDirect3DSurface9 *)1;
                hr = i ? IDirect3DDevice9_CreateDepthStencilSurface(device, 8, 8, formats[i], type, quality, TRUE, &surface, NULL)
                       : IDirect3DDevice9_CreateRenderTarget(device, 8, 8, formats[i], type, quality, FALSE, &surface, NULL);
                CHECK(hr == (fits ? D3D_OK : D3DERR_INVALIDCALL), "type %lu quality %lu gave %#x", (unsigned long)type,
                      (unsigned long)quality, (unsigned)hr);
                if (FAILED(hr)) {
                    CHECK(surface == NULL, "a failed creation left %p", (void *)surface);
                } else {
                    D3DSURFACE_DESC desc;
                    OK(IDirect3DSurface9_GetDesc(surface, &desc));
                    CHECK(desc.MultiSampleType == type && desc.MultiSampleQuality == quality, "it is %d, %d",
                          (int)desc.MultiSampleType, (int)desc.MultiSampleQuality);
                    IDirect3DSurface9_Release(surface);
                }
            }
        }
    }
}

static void masks(IDirect3DDevice9 *device, IDirect3DSurface9 *many, IDirect3DSurface9 *plain)
{
    D3DRECT part = {0, 0, 32, 32};
    int mask;
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, many));
    for (mask = 0; mask <= 16; mask++) {
        int set = (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
        int want = (255 * set + 2) / 4, got;
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, ~0u));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF000000, 1, 0));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, mask));
        draw_quad(device, 0, 0, EDGE, EDGE, 0.5f, 0xFFFFFFFF);
        got = resolved(device, many, 20, 20) & 0xFF;
        CHECK(abs(got - want) <= 1, "mask %d: %d, not %d", mask, got, want);
    }
    /* Clear does not ask for the mask. */
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, 5));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
    CHECK(resolved(device, many, 20, 20) == 0xFF00FF00, "a clear under a mask");
    OK(IDirect3DDevice9_Clear(device, 1, &part, D3DCLEAR_TARGET, 0xFFFF0000, 1, 0));
    CHECK(resolved(device, many, 20, 20) == 0xFFFF0000, "a clear of a rectangle under a mask");
    /* Nor do targets of one sample. */
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, 0));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, plain));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF000000, 1, 0));
    draw_quad(device, 0, 0, EDGE, EDGE, 0.5f, 0xFFFFFFFF);
    CHECK(pixel(device, 20, 20) == 0xFFFFFFFF, "mask 0 on one sample");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, ~0u));
}

static void edges_and_copies(IDirect3DDevice9 *device, IDirect3DSurface9 *many, IDirect3DSurface9 *plain)
{
    IDirect3DSurface9 *other = NULL, *small = NULL, *memory = NULL;
    RECT from = {0, 0, 10, 10}, to = {5, 5, 15, 15};
    DWORD inside;
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, many));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
    draw_quad(device, 10.25f, 10, 30.5f, 30, 0.5f, 0xFFFFFFFF);
    CHECK(resolved(device, many, 9, 20) == 0xFF0000FF, "left of the edge");
    CHECK(resolved(device, many, 11, 20) == 0xFFFFFFFF, "right of the edge");
    /* An edge a quarter into the pixel's square: with centres at integers, three quarters in. */
    inside = resolved(device, many, 10, 20) >> 16 & 0xFF;
    CHECK(inside > 0 && inside < 255, "on the edge: %d", (int)inside);
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &other, NULL));
    OK(IDirect3DDevice9_StretchRect(device, many, NULL, other, NULL, D3DTEXF_NONE));
    CHECK((resolved(device, other, 10, 20) >> 16 & 0xFF) == inside, "samples are copied");
    OK(IDirect3DDevice9_ColorFill(device, other, NULL, 0xFF445566));
    CHECK(resolved(device, other, 3, 3) == 0xFF445566, "filled");
    OK(IDirect3DDevice9_ColorFill(device, plain, NULL, 0xFF00FF00));
    OK(IDirect3DDevice9_StretchRect(device, plain, NULL, other, NULL, D3DTEXF_NONE));
    CHECK(resolved(device, other, 3, 3) == 0xFF00FF00, "one sample to many");
    OK(IDirect3DDevice9_StretchRect(device, many, &from, other, &to, D3DTEXF_NONE));
    CHECK(resolved(device, other, 6, 6) == 0xFF0000FF, "a part of many to a part of many");
    CHECK(resolved(device, other, 4, 4) == 0xFF00FF00, "beside the part");
    OK(IDirect3DDevice9_StretchRect(device, many, &from, plain, &to, D3DTEXF_NONE));
    CHECK(surface_pixel(device, plain, 14, 14) == 0xFF0000FF, "a part of many to a part of one");
    CHECK(surface_pixel(device, plain, 15, 15) == 0xFF00FF00, "beside it");
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &small, NULL));
    OK(IDirect3DDevice9_StretchRect(device, many, NULL, small, NULL, D3DTEXF_POINT));
    CHECK(surface_pixel(device, small, 10, 10) == 0xFFFFFFFF, "many to a smaller one");
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &memory, NULL));
    INVALID(IDirect3DDevice9_GetRenderTargetData(device, many, memory));
    IDirect3DSurface9_Release(memory);
    IDirect3DSurface9_Release(small);
    IDirect3DSurface9_Release(other);
}

/* Without multisampling all of a pixel's samples get what lies at its centre, whatever the mask. */
static void centres(IDirect3DDevice9 *device, IDirect3DSurface9 *many)
{
    IDirect3DQuery9 *query = NULL;
    int i;
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, many));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    for (i = 1; i >= 0; i--) {
        DWORD count = 0;
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEANTIALIAS, i));
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
        draw_quad(device, 9.5f, 9.5f, 25.5f, 25.5f, 0.5f, 0xFFFFFFFF);
        draw_quad(device, 30, 30, 30, 30, 0.5f, 0xFFFFFFFF);
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
        while (IDirect3DQuery9_GetData(query, &count, sizeof count, D3DGETDATA_FLUSH) == S_FALSE)
            ;
        /* Samples, or the pixels that there are without multisampling. */
        CHECK(count == (i ? 1024 : 256), "multisampling %d: %lu counted", i, (unsigned long)count);
    }
    IDirect3DQuery9_Release(query);
    for (i = 0; i <= 8; i++) {
        float left = 9.5f + i / 8.0f;
        Vertex triangle[3] = {{20, 30 + i, 0.5f, 1, ~0u}, {36, 30 + i, 0.5f, 1, ~0u}, {20, 46 + i, 0.5f, 1, ~0u}};
        DWORD want = left <= 10 ? 0xFFFFFFFF : 0xFF0000FF;
        DWORD mask = i % 3 == 0 ? ~0u : (DWORD)i;
        int k;
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, mask));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
        draw_quad(device, left, left, 18.3f, 18.3f, 0.5f, 0xFFFFFFFF);
        CHECK(resolved(device, many, 10, 15) == want, "left edge at %g", left);
        CHECK(resolved(device, many, 15, 10) == want, "top edge at %g", left);
        CHECK(resolved(device, many, 18, 15) == 0xFFFFFFFF, "right edge");
        CHECK(resolved(device, many, 19, 15) == 0xFF0000FF, "past the right edge");
        /* A slope through pixel centres: those on it are right of the triangle's right edge. */
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof *triangle));
        OK(IDirect3DDevice9_EndScene(device));
        for (k = 0; k < 16; k += 5) {
            CHECK(resolved(device, many, 36 - k, 30 + i + k) == 0xFF0000FF, "on the slope, row %d", k);
            if (k < 15)
                CHECK(resolved(device, many, 35 - k, 30 + i + k) == 0xFFFFFFFF, "under the slope, row %d", k);
        }
    }
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, ~0u));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEANTIALIAS, TRUE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
    draw_quad(device, 9.75f, 0, EDGE, EDGE, 0.5f, 0xFFFFFFFF);
    CHECK(resolved(device, many, 9, 5) != 0xFFFFFFFF && resolved(device, many, 10, 5) != 0xFF0000FF, "smooth again");
}

/* Depth surfaces of another sample count: nothing fails, and depth is not tested. */
static void mismatches(IDirect3DDevice9 *device, IDirect3DSurface9 *many, IDirect3DSurface9 *plain, IDirect3DSurface9 *depths)
{
    IDirect3DSurface9 *depth = NULL;
    int i;
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE));
    for (i = 0; i < 2; i++) {
        IDirect3DSurface9 *target = i ? plain : many;
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, i ? depths : depth));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF0000FF, 1, 0));
        draw_quad(device, 0, 0, EDGE, EDGE, 0.5f, 0xFFFFFFFF);
        CHECK((i ? pixel(device, 20, 20) : resolved(device, many, 20, 20)) == 0xFFFFFFFF, "case %d: drawn", i);
    }
    /* Those that match test each sample. */
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, many));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depths));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF0000FF, 1, 0));
    draw_quad(device, 0, 0, 32, EDGE, 0.5f, 0xFFFFFFFF);
    draw_quad(device, 0, 0, EDGE, EDGE, 0.75f, 0xFF00FF00);
    CHECK(resolved(device, many, 20, 20) == 0xFFFFFFFF, "behind");
    CHECK(resolved(device, many, 50, 20) == 0xFF00FF00, "beside");
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, plain));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    IDirect3DSurface9_Release(depth);
}

/* Pretransformed vertices are not cut off by depth while depth is not tested. */
static void pretransformed_depth(IDirect3DDevice9 *device)
{
    static const float depths[] = {-5, -0.5f, 0, 0.5f, 1, 1.5f, 5};
    unsigned i;
    for (i = 0; i < sizeof depths / sizeof *depths; i++) {
        BOOL inside = depths[i] >= 0 && depths[i] <= 1;
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF000000, 1, 0));
        draw_quad(device, 0, 0, EDGE, EDGE, depths[i], 0xFFFFFFFF);
        CHECK(pixel(device, 20, 20) == 0xFFFFFFFF, "z %g without a test", depths[i]);
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_ALWAYS));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF000000, 1, 0));
        draw_quad(device, 0, 0, EDGE, EDGE, depths[i], 0xFFFFFFFF);
        CHECK(pixel(device, 20, 20) == (inside ? 0xFFFFFFFF : 0xFF000000), "z %g with a test", depths[i]);
    }
}

/* A swap chain of many samples; a device with samples that the adapter lacks is not available. */
static void swap_chain(IDirect3D9 *d3d)
{
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3DDevice9 *device = (IDirect3DDevice9 *)1;
    IDirect3DSurface9 *back = NULL;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked;
    p.MultiSampleType = D3DMULTISAMPLE_3_SAMPLES;
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, p.hDeviceWindow,
                                                    D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
    p.MultiSampleType = D3DMULTISAMPLE_4_SAMPLES;
    if (FAILED(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, p.BackBufferFormat, TRUE, p.MultiSampleType, NULL)))
        return;
    OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, p.hDeviceWindow, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &back));
    OK(IDirect3DSurface9_GetDesc(back, &desc));
    CHECK(desc.MultiSampleType == D3DMULTISAMPLE_4_SAMPLES, "depth has type %d", (int)desc.MultiSampleType);
    IDirect3DSurface9_Release(back);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_GetDesc(back, &desc));
    CHECK(desc.MultiSampleType == D3DMULTISAMPLE_4_SAMPLES, "the back buffer has type %d", (int)desc.MultiSampleType);
    INVALID(IDirect3DSurface9_LockRect(back, &locked, NULL, 0));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF204060, 1, 0));
    CHECK(resolved(device, back, 5, 5) == 0xFF204060, "cleared");
    IDirect3DSurface9_Release(back);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    p.MultiSampleType = D3DMULTISAMPLE_3_SAMPLES;
    INVALID(IDirect3DDevice9_Reset(device, &p));
    p.MultiSampleType = D3DMULTISAMPLE_NONE;
    OK(IDirect3DDevice9_Reset(device, &p));
    IDirect3DDevice9_Release(device);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DDevice9 *device = make_device(d3d);
    IDirect3DSurface9 *plain = NULL, *many = NULL, *depths = NULL;
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    pretransformed_depth(device);
    types(d3d, device);
    if (FAILED(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE, D3DMULTISAMPLE_4_SAMPLES, NULL))) {
        printf("no 4 samples here\n");
    } else {
        OK(IDirect3DDevice9_GetRenderTarget(device, 0, &plain));
        OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &many, NULL));
        OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, D3DFMT_D24S8, D3DMULTISAMPLE_4_SAMPLES, 0, TRUE, &depths, NULL));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE));
        masks(device, many, plain);
        centres(device, many);
        edges_and_copies(device, many, plain);
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL));
        mismatches(device, many, plain, depths);
        IDirect3DSurface9_Release(depths);
        IDirect3DSurface9_Release(many);
        IDirect3DSurface9_Release(plain);
    }
    IDirect3DDevice9_Release(device);
    swap_chain(d3d);
    IDirect3D9_Release(d3d);
    return finish("multisample");
}
