/* Swap chains: indices, additional ones, the order of back buffers, what the screen shows. */
#include "common.h"

static IDirect3DDevice9 *device;

#define NOWHERE ((void *)0xDEADBEEF)

static ULONG count(void *object)
{
    IUnknown_AddRef((IUnknown *)object);
    return IUnknown_Release((IUnknown *)object);
}

static void indices(void)
{
    IDirect3DSwapChain9 *chain = NOWHERE;
    IDirect3DSurface9 *surface = NOWHERE;
    D3DDISPLAYMODE mode;
    D3DRASTER_STATUS raster;

    CHECK(IDirect3DDevice9_GetNumberOfSwapChains(device) == 1, "the number of swap chains");
    INVALID(IDirect3DDevice9_GetSwapChain(device, 1, &chain));
    CHECK(chain == NULL, "a swap chain that there is not leaves a pointer");
    INVALID(IDirect3DDevice9_GetBackBuffer(device, 0, 1, D3DBACKBUFFER_TYPE_MONO, &surface));
    CHECK(surface == NULL, "a back buffer that there is not leaves a pointer");
    surface = NOWHERE;
    INVALID(IDirect3DDevice9_GetBackBuffer(device, 1, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    CHECK(surface == NULL, "a back buffer of no swap chain leaves a pointer");
    INVALID(IDirect3DDevice9_GetDisplayMode(device, 1, &mode));
    INVALID(IDirect3DDevice9_GetRasterStatus(device, 1, &raster));
    OK(IDirect3DDevice9_GetDisplayMode(device, 0, &mode));
    CHECK(mode.Format == D3DFMT_X8R8G8B8, "the screen's format is %d", mode.Format);
}

static void additional(void)
{
    D3DPRESENT_PARAMETERS p, got;
    IDirect3DSwapChain9 *chain, *found;
    IDirect3DSurface9 *surface;
    IDirect3DDevice9 *owner;
    ULONG before = count(device);
    UINT n, i;

    for (n = 0; n <= 3; n++) {
        p = windowed();
        p.BackBufferCount = n;
        p.EnableAutoDepthStencil = FALSE;
        chain = NULL;
        OK(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
        CHECK(count(chain) == 1 && count(device) == before + 1, "references of a new swap chain");
        CHECK(p.BackBufferCount == (n ? n : 1), "%u back buffers instead of %u", p.BackBufferCount, n);
        OK(IDirect3DSwapChain9_GetPresentParameters(chain, &got));
        CHECK(got.BackBufferCount == p.BackBufferCount && got.BackBufferWidth == EDGE && got.Windowed &&
              got.BackBufferFormat == D3DFMT_A8R8G8B8 && got.SwapEffect == D3DSWAPEFFECT_DISCARD,
              "the presentation parameters");
        for (i = 0; i < p.BackBufferCount; i++) {
            OK(IDirect3DSwapChain9_GetBackBuffer(chain, i, D3DBACKBUFFER_TYPE_MONO, &surface));
            CHECK(count(surface) == 1, "back buffer %u", i);
            IDirect3DSurface9_Release(surface);
        }
        surface = NOWHERE;
        INVALID(IDirect3DSwapChain9_GetBackBuffer(chain, i, D3DBACKBUFFER_TYPE_MONO, &surface));
        CHECK(surface == NOWHERE, "a back buffer that there is not gives a pointer");
        OK(IDirect3DSwapChain9_GetDevice(chain, &owner));
        CHECK(owner == device, "the swap chain's device");
        IDirect3DDevice9_Release(owner);
        /* It has no number. */
        CHECK(IDirect3DDevice9_GetNumberOfSwapChains(device) == 1, "the number of swap chains");

        /* A back buffer keeps the swap chain it is of. */
        OK(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
        CHECK(IDirect3DSwapChain9_Release(chain) == 0, "the swap chain has other references");
        found = NULL;
        OK(IDirect3DSurface9_GetContainer(surface, &IID_IDirect3DSwapChain9, (void **)&found));
        CHECK(found == chain, "the back buffer is of another swap chain");
        IDirect3DSwapChain9_Release(found);
        CHECK(IDirect3DSurface9_Release(surface) == 0, "the back buffer has other references");
        CHECK(count(device) == before, "the device has %u references, not %u", (unsigned)count(device), (unsigned)before);
    }
    p = windowed();
    p.BackBufferCount = 4;
    INVALID(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    p = windowed();
    p.Windowed = FALSE;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    chain = NOWHERE;
    INVALID(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    CHECK(chain == NOWHERE, "a failed CreateAdditionalSwapChain gives a pointer");
    p = windowed();
    p.BackBufferFormat = D3DFMT_UNKNOWN;
    OK(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    CHECK(p.BackBufferFormat == D3DFMT_X8R8G8B8, "the screen's format");
    IDirect3DSwapChain9_Release(chain);
}

/* Presenting shows back buffer 0; where there are more, each moves a place on. */
static void order(D3DSWAPEFFECT effect, UINT buffers)
{
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSurface9 *surface, *back;
    UINT i, turn;

    p.SwapEffect = effect;
    p.BackBufferCount = buffers;
    p.EnableAutoDepthStencil = FALSE;
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    for (i = 0; i < buffers; i++) {
        OK(IDirect3DSwapChain9_GetBackBuffer(chain, i, D3DBACKBUFFER_TYPE_MONO, &surface));
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF000001 + i, 1, 0));
        IDirect3DSurface9_Release(surface);
    }
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    for (turn = 0; turn < 4; turn++) {
        for (i = 0; i < buffers; i++) {
            DWORD color, expected = 0xFF000001 + (i + turn) % buffers;
            OK(IDirect3DSwapChain9_GetBackBuffer(chain, i, D3DBACKBUFFER_TYPE_MONO, &surface));
            color = surface_pixel(device, surface, 0, 0);
            CHECK(color == expected, "effect %u, %u presented: buffer %u is %08x, not %08x", effect, turn, i,
                  (unsigned)color, (unsigned)expected);
            IDirect3DSurface9_Release(surface);
        }
        OK(IDirect3DSwapChain9_Present(chain, NULL, NULL, NULL, NULL, 0));
    }
    IDirect3DSwapChain9_Release(chain);
    IDirect3DSurface9_Release(back);
}

static void front(void)
{
    IDirect3DSurface9 *surface = NULL;
    D3DDISPLAYMODE mode;
    D3DLOCKED_RECT locked;

    OK(IDirect3DDevice9_GetDisplayMode(device, 0, &mode));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, mode.Width, mode.Height, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &surface, NULL));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, surface));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF102030, 1, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, surface));
    OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY));
    OURS(CHECK((*(DWORD *)locked.pBits & 0xFFFFFF) == 0x102030, "the screen shows %06x", (unsigned)*(DWORD *)locked.pBits));
    IDirect3DSurface9_UnlockRect(surface);
    INVALID(IDirect3DDevice9_GetFrontBufferData(device, 1, surface));
    IDirect3DSurface9_Release(surface);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    indices();
    additional();
    order(D3DSWAPEFFECT_FLIP, 3);
    order(D3DSWAPEFFECT_FLIP, 2);
    order(D3DSWAPEFFECT_FLIP, 1);
    order(D3DSWAPEFFECT_COPY, 1);
    front();
    CHECK(IDirect3DDevice9_Release(device) == 0, "something still holds the device");
    CHECK(IDirect3D9_Release(d3d) == 0, "something still holds Direct3D");
    return finish("swapchains");
}
