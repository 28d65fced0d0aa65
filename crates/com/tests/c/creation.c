/* Which resources can be made, with which codes, and what the caller's pointer holds then. */
#include "common.h"

#define FOURCC(name) ((D3DFORMAT)MAKEFOURCC((name)[0], (name)[1], (name)[2], (name)[3]))

enum { FLAT = 1, CUBE = 2, VOLUME = 4 };

static IDirect3DDevice9 *device;

static void drop(void *object)
{
    if (object)
        IUnknown_Release((IUnknown *)object);
}

static HRESULT make(int kind, UINT side, UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool, void **made)
{
    *made = (void *)0x1234;
    if (kind == FLAT)
        return IDirect3DDevice9_CreateTexture(device, side, side, levels, usage, format, pool, (IDirect3DTexture9 **)made, NULL);
    if (kind == CUBE)
        return IDirect3DDevice9_CreateCubeTexture(device, side, levels, usage, format, pool, (IDirect3DCubeTexture9 **)made, NULL);
    return IDirect3DDevice9_CreateVolumeTexture(device, side, side, 4, levels, usage, format, pool,
                                                (IDirect3DVolumeTexture9 **)made, NULL);
}

/* Usages by pool: bits DEFAULT 1, MANAGED 2, SYSTEMMEM 4, SCRATCH 8. */
static void usages(void)
{
    static const struct {
        DWORD usage;
        D3DFORMAT format;
        int flat, cube, volume;
    } cases[] = {
        { 0, D3DFMT_A8R8G8B8, 15, 15, 15 },
        { D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, 5, 5, 5 },
        { D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, 1, 1, 0 },
        { D3DUSAGE_RENDERTARGET | D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, 0, 0, 0 },
        { D3DUSAGE_DEPTHSTENCIL, D3DFMT_D24S8, 1, 1, 0 },
        { D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_DYNAMIC, D3DFMT_D24S8, 0, 0, 0 },
        { D3DUSAGE_DEPTHSTENCIL, D3DFMT_A8R8G8B8, 0, 0, 0 },
        { D3DUSAGE_RENDERTARGET, D3DFMT_D24S8, 0, 0, 0 },
        { 0, D3DFMT_D16, 15, 15, 8 },
        { D3DUSAGE_DYNAMIC, D3DFMT_D24S8, 5, 5, 0 },
        { D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL, D3DFMT_A8R8G8B8, 0, 0, 0 },
        { D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8, 11, 11, 0 },
        { D3DUSAGE_AUTOGENMIPMAP, D3DFMT_DXT1, 11, 11, 0 },
        { D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, 1, 1, 0 },
        { D3DUSAGE_WRITEONLY, D3DFMT_A8R8G8B8, 0, 0, 0 },
        { D3DUSAGE_RENDERTARGET, D3DFMT_DXT1, 0, 0, 0 },
        { 0, D3DFMT_UNKNOWN, 0, 0, 0 },
        { 0, D3DFMT_YUY2, 8, 8, 8 },
        { 0, D3DFMT_R5G6B5, 15, 15, 15 },
        { 0, D3DFMT_DXT5, 15, 15, 15 },
    };
    unsigned i, kind, pool;
    for (i = 0; i < sizeof cases / sizeof *cases; i++)
        for (kind = FLAT; kind <= VOLUME; kind *= 2)
            for (pool = 0; pool < 4; pool++) {
                int good = kind == FLAT ? cases[i].flat : kind == CUBE ? cases[i].cube : cases[i].volume;
                HRESULT expected = good >> pool & 1 ? D3D_OK : D3DERR_INVALIDCALL;
                void *made;
                HRESULT hr = make(kind, 16, 1, cases[i].usage, cases[i].format, pool, &made);
                CHECK(hr == expected, "usage %#x, format %#x, kind %u, pool %u: %#x", (unsigned)cases[i].usage,
                      (unsigned)cases[i].format, kind, pool, (unsigned)hr);
                CHECK(FAILED(hr) == !made, "kind %u, pool %u: left %p", kind, pool, made);
                if (SUCCEEDED(hr))
                    drop(made);
            }
}

static void sizes(void)
{
    static const struct {
        UINT width, height;
        int dxt; /* good for DXT too */
    } cases[] = { { 1, 1, 0 }, { 2, 2, 0 }, { 4, 1, 0 }, { 3, 5, 0 }, { 4, 4, 1 }, { 5, 4, 0 }, { 6, 8, 0 }, { 8, 12, 1 }, { 100, 60, 1 } };
    unsigned i, pool;
    for (i = 0; i < sizeof cases / sizeof *cases; i++)
        for (pool = 0; pool < 4; pool++) {
            IDirect3DTexture9 *t = NULL;
            HRESULT hr;
            OK(IDirect3DDevice9_CreateTexture(device, cases[i].width, cases[i].height, 0, 0, D3DFMT_A8R8G8B8, pool, &t, NULL));
            drop(t);
            hr = IDirect3DDevice9_CreateTexture(device, cases[i].width, cases[i].height, 0, 0, D3DFMT_DXT3, pool, &t, NULL);
            CHECK(hr == (cases[i].dxt ? D3D_OK : D3DERR_INVALIDCALL), "DXT3 of %u x %u in pool %u: %#x", cases[i].width,
                  cases[i].height, pool, (unsigned)hr);
            if (SUCCEEDED(hr))
                drop(t);
            OK(IDirect3DDevice9_CreateTexture(device, cases[i].width, cases[i].height, 0, 0, FOURCC("ATI2"), pool, &t, NULL));
            drop(t);
        }
    for (i = FLAT; i <= VOLUME; i *= 2) {
        void *made;
        INVALID(make(i, 0, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &made));
        CHECK(!made, "kind %u of no size left %p", i, made);
    }
}

static void levels(void)
{
    static const struct {
        UINT side, levels;
        DWORD usage;
        UINT count; /* 0: refused */
    } cases[] = {
        { 16, 0, 0, 5 },  { 16, 1, 0, 1 }, { 16, 5, 0, 5 }, { 5, 0, 0, 3 }, { 1, 0, 0, 1 }, { 16, 0, D3DUSAGE_AUTOGENMIPMAP, 1 },
        { 16, 1, D3DUSAGE_AUTOGENMIPMAP, 1 }, { 16, 2, D3DUSAGE_AUTOGENMIPMAP, 0 }, { 16, 5, D3DUSAGE_AUTOGENMIPMAP, 0 },
    };
    unsigned i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *t;
        IDirect3DSurface9 *surface = (IDirect3DSurface9 *)0x1234;
        D3DSURFACE_DESC desc;
        HRESULT hr = make(FLAT, cases[i].side, cases[i].levels, cases[i].usage, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &t);
        CHECK(hr == (cases[i].count ? D3D_OK : D3DERR_INVALIDCALL), "%u levels of %u: %#x", cases[i].levels, cases[i].side,
              (unsigned)hr);
        if (FAILED(hr))
            continue;
        CHECK(IDirect3DTexture9_GetLevelCount((IDirect3DTexture9 *)t) == cases[i].count, "%u levels of %u are %u", cases[i].levels,
              cases[i].side, (unsigned)IDirect3DTexture9_GetLevelCount((IDirect3DTexture9 *)t));
        INVALID(IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)t, cases[i].count, &surface));
        CHECK(surface == (IDirect3DSurface9 *)0x1234, "no such level wrote %p", (void *)surface);
        INVALID(IDirect3DTexture9_GetLevelDesc((IDirect3DTexture9 *)t, cases[i].count, &desc));
        OK(IDirect3DTexture9_GetLevelDesc((IDirect3DTexture9 *)t, cases[i].count - 1, &desc));
        CHECK(desc.Type == D3DRTYPE_SURFACE && desc.Usage == cases[i].usage && desc.Pool == D3DPOOL_MANAGED &&
                  desc.MultiSampleType == 0 && desc.MultiSampleQuality == 0 && desc.Format == D3DFMT_A8R8G8B8,
              "description");
        drop(t);
    }
}

/* Filters of automatic levels, and levels of detail: of managed textures only. */
static void filters(void)
{
    unsigned pool, kind;
    for (pool = 0; pool < 4; pool++)
        for (kind = FLAT; kind <= CUBE; kind *= 2) {
            IDirect3DBaseTexture9 *t;
            int managed = pool == D3DPOOL_MANAGED;
            OK(make(kind, 16, 0, 0, D3DFMT_A8R8G8B8, pool, (void **)&t));
            CHECK(IDirect3DBaseTexture9_GetAutoGenFilterType(t) == D3DTEXF_NONE, "a filter without levels to make");
            CHECK(IDirect3DBaseTexture9_SetLOD(t, 2) == 0, "the first level of detail");
            CHECK(IDirect3DBaseTexture9_GetLOD(t) == (managed ? 2 : 0), "level of detail %u", (unsigned)IDirect3DBaseTexture9_GetLOD(t));
            CHECK(IDirect3DBaseTexture9_SetLOD(t, 9) == (managed ? 2 : 0), "the level of detail before");
            CHECK(IDirect3DBaseTexture9_GetLOD(t) == (managed ? 4 : 0), "the last level of detail");
            CHECK(IDirect3DBaseTexture9_SetPriority(t, 7) == 0, "the first priority");
            CHECK(IDirect3DBaseTexture9_GetPriority(t) == (managed ? 7 : 0), "priority");
            drop(t);
            if (pool == D3DPOOL_SYSTEMMEM)
                continue;
            OK(make(kind, 16, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8, pool, (void **)&t));
            CHECK(IDirect3DBaseTexture9_GetAutoGenFilterType(t) == D3DTEXF_LINEAR, "the first filter");
            INVALID(IDirect3DBaseTexture9_SetAutoGenFilterType(t, D3DTEXF_NONE));
            OK(IDirect3DBaseTexture9_SetAutoGenFilterType(t, D3DTEXF_POINT));
            CHECK(IDirect3DBaseTexture9_GetAutoGenFilterType(t) == D3DTEXF_POINT, "the filter set");
            IDirect3DBaseTexture9_GenerateMipSubLevels(t);
            drop(t);
        }
    {
        IDirect3DVolumeTexture9 *v;
        OK(make(VOLUME, 16, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, (void **)&v));
        INVALID(IDirect3DVolumeTexture9_SetAutoGenFilterType(v, D3DTEXF_LINEAR));
        CHECK(IDirect3DVolumeTexture9_GetAutoGenFilterType(v) == D3DTEXF_NONE, "volumes make no levels");
        drop(v);
    }
}

static void surfaces(void)
{
    static const D3DFORMAT video[] = { D3DFMT_YUY2, D3DFMT_UYVY };
    IDirect3DSurface9 *s;
    D3DSURFACE_DESC desc;
    unsigned pool, i;
    for (pool = 0; pool < 4; pool++) {
        HRESULT expected = pool == D3DPOOL_MANAGED ? D3DERR_INVALIDCALL : D3D_OK;
        s = (IDirect3DSurface9 *)0x1234;
        HR(expected, IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_X8R8G8B8, pool, &s, NULL));
        CHECK(!s == (pool == D3DPOOL_MANAGED), "left %p", (void *)s);
        if (!s)
            continue;
        OK(IDirect3DSurface9_GetDesc(s, &desc));
        CHECK(desc.Usage == 0 && desc.Pool == pool && desc.Width == 8 && desc.Type == D3DRTYPE_SURFACE, "description");
        drop(s);
        for (i = 0; i < 2; i++) {
            OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, video[i], pool, &s, NULL));
            drop(s);
        }
        INVALID(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 6, 8, D3DFMT_DXT1, pool, &s, NULL));
        INVALID(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 0, 8, D3DFMT_A8R8G8B8, pool, &s, NULL));
    }
    /* Depth formats make plain surfaces too, which are no depth surfaces. */
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_D24S8, D3DPOOL_DEFAULT, &s, NULL));
    INVALID(IDirect3DDevice9_SetDepthStencilSurface(device, s));
    drop(s);
    s = (IDirect3DSurface9 *)0x1234;
    INVALID(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_D24S8, 0, 0, FALSE, &s, NULL));
    CHECK(!s, "left %p", (void *)s);
    s = (IDirect3DSurface9 *)0x1234;
    INVALID(IDirect3DDevice9_CreateDepthStencilSurface(device, 8, 8, D3DFMT_A8R8G8B8, 0, 0, FALSE, &s, NULL));
    CHECK(!s, "left %p", (void *)s);
    INVALID(IDirect3DDevice9_CreateRenderTarget(device, 0, 8, D3DFMT_A8R8G8B8, 0, 0, FALSE, &s, NULL));
    INVALID(IDirect3DDevice9_CreateDepthStencilSurface(device, 8, 0, D3DFMT_D24S8, 0, 0, FALSE, &s, NULL));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, 8, 8, D3DFMT_D24S8, 0, 0, TRUE, &s, NULL));
    OK(IDirect3DSurface9_GetDesc(s, &desc));
    CHECK(desc.Usage == D3DUSAGE_DEPTHSTENCIL && desc.Pool == D3DPOOL_DEFAULT, "description");
    drop(s);
}

/* A target that keeps nothing: programs draw depth alone with it. */
static void null_target(IDirect3D9 *d3d)
{
    IDirect3DSurface9 *s = NULL, *copy = NULL;
    IDirect3DTexture9 *t = NULL;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked;
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, FOURCC("NULL")));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, FOURCC("NULL")));
    OK(IDirect3D9_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, FOURCC("NULL"), D3DFMT_D24S8));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, FOURCC("NULL"), 0, 0, TRUE, &s, NULL));
    OK(IDirect3DSurface9_GetDesc(s, &desc));
    CHECK(desc.Format == FOURCC("NULL"), "format %#x", (unsigned)desc.Format);
    OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    CHECK(locked.Pitch && locked.pBits, "pitch %d", (int)locked.Pitch);
    OK(IDirect3DSurface9_UnlockRect(s));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL));
    OURS(INVALID(IDirect3DDevice9_GetRenderTargetData(device, s, copy)));
    OK(IDirect3DDevice9_ColorFill(device, s, NULL, 0xFF00FF00));
    OK(IDirect3DDevice9_StretchRect(device, s, NULL, s, NULL, D3DTEXF_NONE));
    drop(copy);
    drop(s);
    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 0, D3DUSAGE_RENDERTARGET, FOURCC("NULL"), D3DPOOL_DEFAULT, &t, NULL));
    drop(t);
}

/* Sharing is for extended devices. */
static void shared(void)
{
    HANDLE handle = (HANDLE)0x1234;
    IDirect3DTexture9 *t = (IDirect3DTexture9 *)0x1234;
    IDirect3DSurface9 *s = NULL;
    IDirect3DVertexBuffer9 *v = NULL;
    HR(E_NOTIMPL, IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &t, &handle));
    CHECK(!t, "left %p", (void *)t);
    HR(E_NOTIMPL, IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &s, &handle));
    HR(E_NOTIMPL, IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, 0, 0, FALSE, &s, &handle));
    HR(E_NOTIMPL, IDirect3DDevice9_CreateDepthStencilSurface(device, 8, 8, D3DFMT_D24S8, 0, 0, FALSE, &s, &handle));
    HR(E_NOTIMPL, IDirect3DDevice9_CreateVertexBuffer(device, 8, 0, 0, D3DPOOL_DEFAULT, &v, &handle));
}

/* The display format comes first, then what is asked of the resource. */
static void answers(IDirect3D9 *d3d)
{
    static const struct {
        DWORD usage;
        D3DRESOURCETYPE type;
        D3DFORMAT format;
        HRESULT expected;
    } cases[] = {
        { 0, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8, D3D_OK },
        { 0, D3DRTYPE_VOLUME, D3DFMT_A8R8G8B8, D3D_OK },
        { 0, D3DRTYPE_SURFACE, D3DFMT_UNKNOWN, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_DYNAMIC, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_AUTOGENMIPMAP, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8, D3D_OK },
        { D3DUSAGE_AUTOGENMIPMAP, D3DRTYPE_TEXTURE, D3DFMT_DXT1, D3DOK_NOAUTOGEN },
        { D3DUSAGE_AUTOGENMIPMAP, D3DRTYPE_VOLUMETEXTURE, D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_RENDERTARGET, D3DRTYPE_VOLUMETEXTURE, D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, D3DFMT_D24S8, D3D_OK },
        { D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE, D3DFMT_D24S8, D3D_OK },
        { D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_CUBETEXTURE, D3DFMT_D24S8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_DMAP, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_QUERY_LEGACYBUMPMAP, D3DRTYPE_TEXTURE, D3DFMT_V8U8, D3D_OK },
        { D3DUSAGE_QUERY_LEGACYBUMPMAP, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_QUERY_LEGACYBUMPMAP, D3DRTYPE_TEXTURE, D3DFMT_D24S8, D3DERR_NOTAVAILABLE },
        { 0, D3DRTYPE_TEXTURE, D3DFMT_D24S8, D3D_OK },
        { D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8, D3D_OK },
        { D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, D3DFMT_L8, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8, D3D_OK },
        { D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_TEXTURE, D3DFMT_R32F, D3D_OK },
        { D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_SURFACE, D3DFMT_R32F, D3DERR_NOTAVAILABLE },
        { D3DUSAGE_QUERY_WRAPANDMIP, D3DRTYPE_CUBETEXTURE, D3DFMT_DXT5, D3D_OK },
        { D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING, D3DRTYPE_TEXTURE, D3DFMT_A16B16G16R16F, D3D_OK },
        { 0, D3DRTYPE_SURFACE, D3DFMT_YUY2, D3D_OK },
        { 0, D3DRTYPE_TEXTURE, D3DFMT_YUY2, D3DERR_NOTAVAILABLE },
        { 0, D3DRTYPE_VERTEXBUFFER, D3DFMT_VERTEXDATA, D3D_OK },
        { D3DUSAGE_DYNAMIC, D3DRTYPE_INDEXBUFFER, D3DFMT_INDEX16, D3D_OK },
        { D3DUSAGE_RENDERTARGET, D3DRTYPE_VERTEXBUFFER, D3DFMT_VERTEXDATA, D3DERR_NOTAVAILABLE },
    };
    static const struct {
        D3DFORMAT format;
        HRESULT expected;
    } displays[] = { { D3DFMT_X8R8G8B8, D3D_OK },
                     { D3DFMT_R5G6B5, D3D_OK },
                     { D3DFMT_A8R8G8B8, D3DERR_NOTAVAILABLE },
                     { D3DFMT_R8G8B8, D3DERR_NOTAVAILABLE },
                     { D3DFMT_DXT1, D3DERR_NOTAVAILABLE },
                     { D3DFMT_UNKNOWN, D3DERR_INVALIDCALL } };
    unsigned i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        HRESULT hr = IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, cases[i].usage, cases[i].type, cases[i].format);
        CHECK(hr == cases[i].expected, "case %u: %#x, not %#x", i, (unsigned)hr, (unsigned)cases[i].expected);
    }
    for (i = 0; i < sizeof displays / sizeof *displays; i++)
        HR(displays[i].expected,
           IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, displays[i].format, 0, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8));
    {
        DWORD levels = 77;
        OK(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, TRUE, D3DMULTISAMPLE_NONE, &levels));
        CHECK(levels == 1, "%u levels", (unsigned)levels);
        levels = 77;
        HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_DXT1, TRUE, D3DMULTISAMPLE_4_SAMPLES, &levels));
        CHECK(levels == 1, "%u levels", (unsigned)levels);
        levels = 77;
        INVALID(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_VERTEXDATA, TRUE, D3DMULTISAMPLE_NONE, &levels));
        INVALID(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, TRUE, 17, &levels));
        CHECK(levels == 77, "wrote %u", (unsigned)levels);
    }
    OK(IDirect3D9_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_YUY2, D3DFMT_X8R8G8B8));
    OK(IDirect3D9_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, D3DFMT_R5G6B5));
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    usages();
    sizes();
    levels();
    filters();
    surfaces();
    null_target(d3d);
    shared();
    answers(d3d);
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device stays");
    IDirect3D9_Release(d3d);
    return finish("creation");
}
