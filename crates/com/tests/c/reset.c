/* Reset: what stands in its way, what it leaves, and the device after one that failed. */
#include "common.h"

static IDirect3DDevice9 *device;

static HRESULT reset(void)
{
    D3DPRESENT_PARAMETERS p = windowed();
    return IDirect3DDevice9_Reset(device, &p);
}

/* Something stands in the way; the device counts as lost until it is gone. */
#define REFUSED(release) \
    do { \
        INVALID(reset()); \
        HR(D3DERR_DEVICENOTRESET, IDirect3DDevice9_TestCooperativeLevel(device)); \
        HR(D3DERR_DEVICELOST, IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL)); \
        release; \
        OK(reset()); \
        OK(IDirect3DDevice9_TestCooperativeLevel(device)); \
    } while (0)

static void obstacles(void)
{
    IDirect3DTexture9 *texture = NULL;
    IDirect3DVertexBuffer9 *vertices = NULL;
    IDirect3DIndexBuffer9 *indices = NULL;
    IDirect3DSurface9 *surface = NULL;
    IDirect3DQuery9 *query = NULL;
    IDirect3DSwapChain9 *chain = NULL;
    UINT pool;

    OK(reset());
    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    REFUSED(IDirect3DTexture9_Release(texture));
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_DEFAULT, &vertices, NULL));
    REFUSED(IDirect3DVertexBuffer9_Release(vertices));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, 64, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, &indices, NULL));
    REFUSED(IDirect3DIndexBuffer9_Release(indices));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL));
    REFUSED(IDirect3DSurface9_Release(surface));
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    REFUSED(IDirect3DSurface9_Release(surface));
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &surface));
    REFUSED(IDirect3DSurface9_Release(surface));

    /* What lives in memory, queries and the device's own swap chain stand in nobody's way. */
    for (pool = D3DPOOL_MANAGED; pool <= D3DPOOL_SCRATCH; pool++) {
        OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, (D3DPOOL)pool, &texture, NULL));
        OK(reset());
        CHECK(IDirect3DTexture9_Release(texture) == 0, "the texture of pool %u", pool);
    }
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(reset());
    CHECK(IDirect3DQuery9_Release(query) == 0, "the query");
    OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
    OK(reset());
    CHECK(IDirect3DSwapChain9_Release(chain) == 0, "the swap chain");

    /* Nor does what only the device holds. */
    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    IDirect3DTexture9_Release(texture);
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_DEFAULT, &vertices, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, vertices, 0, 16));
    IDirect3DVertexBuffer9_Release(vertices);
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, surface));
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(reset());
}

static void left_behind(void)
{
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3DSurface9 *target = NULL, *back = NULL, *depth = (void *)1;
    IDirect3DBaseTexture9 *texture = (void *)1;
    IDirect3DVertexBuffer9 *buffer = (void *)1;
    IDirect3DStateBlock9 *block;
    D3DSURFACE_DESC desc;
    D3DVIEWPORT9 viewport = { 1, 2, 3, 4, 0.5f, 0.5f };
    RECT rect;
    UINT offset, stride;
    DWORD value;

    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetViewport(device, &viewport));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    p.BackBufferWidth = 32;
    p.BackBufferHeight = 16;
    p.BackBufferCount = 0;
    OK(IDirect3DDevice9_Reset(device, &p));
    CHECK(p.BackBufferCount == 1, "%u back buffers", p.BackBufferCount);
    INVALID(IDirect3DDevice9_EndStateBlock(device, &block));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_LIGHTING, &value));
    CHECK(value == TRUE, "states stay");
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    CHECK(viewport.X == 0 && viewport.Width == 32 && viewport.Height == 16 && viewport.MinZ == 0 && viewport.MaxZ == 1,
          "the viewport");
    OK(IDirect3DDevice9_GetScissorRect(device, &rect));
    CHECK(rect.right == 32 && rect.bottom == 16, "the scissor rectangle");
    OK(IDirect3DDevice9_GetTexture(device, 0, &texture));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &buffer, &offset, &stride));
    CHECK(!texture && !buffer, "what was bound stays bound");
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    CHECK(target == back, "target 0 is not the back buffer");
    OK(IDirect3DSurface9_GetDesc(back, &desc));
    CHECK(desc.Width == 32 && desc.Height == 16, "the back buffer is of %u x %u", desc.Width, desc.Height);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(back);
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    IDirect3DSurface9_Release(depth);

    p.EnableAutoDepthStencil = FALSE;
    OK(IDirect3DDevice9_Reset(device, &p));
    HR(D3DERR_NOTFOUND, IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    CHECK(depth == NULL, "a depth surface that there is not");
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_ZENABLE, &value));
    CHECK(value == D3DZB_FALSE, "depth tests without a depth surface");
    INVALID(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0));
    OK(reset());
}

static void parameters(void)
{
    D3DPRESENT_PARAMETERS p;
    D3DDISPLAYMODE mode;
    IDirect3DSwapChain9 *chain = (void *)0xDEADBEEF;
    D3DLOCKED_RECT locked;
    IDirect3DSurface9 *back;
    IDirect3D9 *d3d;
    UINT i, modes;

    /* Parameters that are none change nothing at all. */
    p = windowed();
    p.SwapEffect = (D3DSWAPEFFECT)0;
    INVALID(IDirect3DDevice9_Reset(device, &p));
    p = windowed();
    p.BackBufferCount = 4;
    INVALID(IDirect3DDevice9_Reset(device, &p));
    p = windowed();
    p.SwapEffect = D3DSWAPEFFECT_COPY;
    p.BackBufferCount = 2;
    INVALID(IDirect3DDevice9_Reset(device, &p));
    p = windowed();
    p.PresentationInterval = 77;
    INVALID(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_TestCooperativeLevel(device));

    p = windowed();
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_LockRect(back, &locked, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(back));
    IDirect3DSurface9_Release(back);
    OK(reset());
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    INVALID(IDirect3DSurface9_LockRect(back, &locked, NULL, 0));
    IDirect3DSurface9_Release(back);

    /* The whole screen, in one of its modes and in none of them. */
    OK(IDirect3DDevice9_GetDirect3D(device, &d3d));
    modes = IDirect3D9_GetAdapterModeCount(d3d, 0, D3DFMT_X8R8G8B8);
    OK(IDirect3D9_EnumAdapterModes(d3d, 0, D3DFMT_X8R8G8B8, modes - 1, &mode));
    p = windowed();
    p.Windowed = FALSE;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    p.BackBufferWidth = mode.Width;
    p.BackBufferHeight = mode.Height;
    OK(IDirect3DDevice9_Reset(device, &p));
    for (i = 0; i < 2; i++) {
        memset(&mode, 0, sizeof mode);
        OK(i ? IDirect3D9_GetAdapterDisplayMode(d3d, 0, &mode) : IDirect3DDevice9_GetDisplayMode(device, 0, &mode));
        CHECK(mode.Width == p.BackBufferWidth && mode.Height == p.BackBufferHeight && mode.Format == D3DFMT_X8R8G8B8,
              "the screen is in a mode of %u x %u", mode.Width, mode.Height);
    }
    p = windowed();
    INVALID(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    CHECK(chain == (void *)0xDEADBEEF, "a failed CreateAdditionalSwapChain gives a pointer");
    p.Windowed = FALSE;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    p.BackBufferWidth = 801;
    p.BackBufferHeight = 600;
    INVALID(IDirect3DDevice9_Reset(device, &p));
    HR(D3DERR_DEVICENOTRESET, IDirect3DDevice9_TestCooperativeLevel(device));
    OK(reset());
    IDirect3D9_Release(d3d);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    obstacles();
    left_behind();
    parameters();
    CHECK(IDirect3DDevice9_Release(device) == 0, "something still holds the device");
    CHECK(IDirect3D9_Release(d3d) == 0, "something still holds Direct3D");
    return finish("reset");
}
