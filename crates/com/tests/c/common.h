/* What the test programs share: a headless device, quads, and pixels read back and compared. */
#ifndef COMMON_H
#define COMMON_H

/* Windows wants to be asked for the macros of IUnknown. */
#ifndef COBJMACROS
#define COBJMACROS
#endif
#include <d3d9.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 64 };

static int failures;
static int checks;

#define CHECK(condition, ...) \
    do { \
        checks++; \
        if (!(condition)) { \
            failures++; \
            printf("%s:%d: ", __FILE__, __LINE__); \
            printf(__VA_ARGS__); \
            printf("\n"); \
        } \
    } while (0)

/* A call that must give this code. */
#define HR(expected, call) \
    do { \
        HRESULT got_ = (call); \
        CHECK(got_ == (HRESULT)(expected), #call " gave %#x, not %#x", (unsigned)got_, (unsigned)(expected)); \
    } while (0)

#define OK(call) HR(D3D_OK, call)
#define INVALID(call) HR(D3DERR_INVALIDCALL, call)

static inline int finish(const char *name)
{
    printf("%s: %d checks, %d failed\n", name, checks, failures);
    return failures != 0;
}

/* What this library does and others do not: it answers calls with nothing behind a pointer, and
 * keeps memory where it was. Left out when the same program is built for Windows. */
#ifdef _WIN32
#define OURS(statement)
#else
#define OURS(statement) statement
#endif

/* Headless devices need no window; Windows does. */
static inline HWND window(void)
{
#ifdef _WIN32
    setvbuf(stdout, NULL, _IONBF, 0);
    return CreateWindowA("static", "test", WS_OVERLAPPEDWINDOW, 0, 0, EDGE, EDGE, NULL, NULL, NULL, NULL);
#else
    return NULL;
#endif
}

#ifndef __cplusplus

static inline D3DPRESENT_PARAMETERS windowed(void)
{
    D3DPRESENT_PARAMETERS p;
    memset(&p, 0, sizeof p);
    p.BackBufferWidth = EDGE;
    p.BackBufferHeight = EDGE;
    p.BackBufferFormat = D3DFMT_A8R8G8B8;
    p.SwapEffect = D3DSWAPEFFECT_DISCARD;
    p.hDeviceWindow = window();
    p.Windowed = TRUE;
    p.EnableAutoDepthStencil = TRUE;
    p.AutoDepthStencilFormat = D3DFMT_D24S8;
    return p;
}

/* A 64 x 64 device, or the end of the program. */
static inline IDirect3DDevice9 *make_device(IDirect3D9 *d3d)
{
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3DDevice9 *device = NULL;
    HRESULT hr = IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, NULL,
                                         D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device);
    if (FAILED(hr)) {
        printf("CreateDevice: %#x\n", (unsigned)hr);
        exit(1);
    }
    return device;
}

static inline IDirect3D9 *make_d3d(void)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER9 identifier;
    if (!d3d) {
        printf("Direct3DCreate9 gave null\n");
        exit(3);
    }
    IDirect3D9_GetAdapterIdentifier(d3d, 0, 0, &identifier);
    fprintf(stderr, "adapter: %s\n", identifier.Description);
    return d3d;
}

/* The colour of a pixel of a surface as ARGB; the surface is A8R8G8B8 or X8R8G8B8. */
static inline DWORD surface_pixel(IDirect3DDevice9 *device, IDirect3DSurface9 *surface, int x, int y)
{
    D3DSURFACE_DESC desc;
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT locked;
    DWORD value = 0xDEADBEEF;
    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, desc.Width, desc.Height, desc.Format,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, surface, copy));
    if (SUCCEEDED(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY))) {
        value = *(DWORD *)((char *)locked.pBits + y * locked.Pitch + x * 4);
        IDirect3DSurface9_UnlockRect(copy);
    }
    IDirect3DSurface9_Release(copy);
    return value;
}

/* The colour of a pixel of render target 0. */
static inline DWORD pixel(IDirect3DDevice9 *device, int x, int y)
{
    IDirect3DSurface9 *target = NULL;
    DWORD value;
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    value = surface_pixel(device, target, x, y);
    IDirect3DSurface9_Release(target);
    return value;
}

static inline int close_to(DWORD a, DWORD b, int tolerance)
{
    int shift;
    for (shift = 0; shift < 32; shift += 8)
        if (abs((int)(a >> shift & 0xFF) - (int)(b >> shift & 0xFF)) > tolerance)
            return 0;
    return 1;
}

/* Colours may be off by one in 255: D3D9 leaves the last bit of a conversion open. */
#define EXPECT_AT(device, x, y, rgb, what) \
    do { \
        DWORD got_ = pixel(device, x, y) & 0xFFFFFF; \
        CHECK(close_to(got_, (rgb), 1), "%s: pixel (%d, %d) is %06x, not %06x", what, x, y, (unsigned)got_, \
              (unsigned)(rgb)); \
    } while (0)

#define EXPECT(device, rgb, what) EXPECT_AT(device, EDGE / 2, EDGE / 2, rgb, what)

/* A 32-bit colour of numbers 0 to 1 (values above saturate), as the hardware rounds it. */
static inline DWORD rgb(double r, double g, double b)
{
    double v[3] = { r, g, b };
    DWORD out = 0;
    int i;
    for (i = 0; i < 3; i++) {
        double c = v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i];
        out = out << 8 | (DWORD)(c * 255 + 0.5);
    }
    return out;
}

static inline void clear(IDirect3DDevice9 *device, DWORD color)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, color, 1.0f, 0));
}

/* A four-vertex strip inside a scene, on a target cleared to a colour nobody expects. */
static inline void draw_strip(IDirect3DDevice9 *device, DWORD fvf, const void *vertices, UINT stride)
{
    clear(device, 0xFF123456);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetFVF(device, fvf));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, vertices, stride));
    OK(IDirect3DDevice9_EndScene(device));
}

/* A managed 2D texture of one level with these ARGB texels. */
static inline IDirect3DTexture9 *make_texture(IDirect3DDevice9 *device, UINT width, UINT height,
                                              const DWORD *texels)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;
    UINT y;
    OK(IDirect3DDevice9_CreateTexture(device, width, height, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &texture, NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0));
    for (y = 0; y < height; y++)
        memcpy((char *)locked.pBits + y * locked.Pitch, texels + y * width, width * 4);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    return texture;
}

#endif

#endif
