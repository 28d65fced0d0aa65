/* IDirect3D9Ex and IDirect3DDevice9Ex: interfaces, modes, pools, latency, a device that is never lost. */
#include "common.h"

static IDirect3D9Ex *d3d;
static IDirect3DDevice9Ex *device;
static HWND shown;

static D3DPRESENT_PARAMETERS parameters(void)
{
    D3DPRESENT_PARAMETERS p = windowed();
    if (!shown)
        shown = p.hDeviceWindow;
    p.hDeviceWindow = shown;
    return p;
}

static void interfaces(void)
{
    IDirect3D9 *plain = NULL, *made;
    IDirect3DDevice9 *device9;
    IUnknown *unknown = NULL;

    OK(IDirect3D9Ex_QueryInterface(d3d, &IID_IDirect3D9, (void **)&plain));
    CHECK((void *)plain == (void *)d3d, "IDirect3D9 is another object");
    IDirect3D9_Release(plain);
    OK(IDirect3DDevice9Ex_QueryInterface(device, &IID_IDirect3DDevice9, (void **)&device9));
    CHECK((void *)device9 == (void *)device, "IDirect3DDevice9 is another object");
    IDirect3DDevice9_Release(device9);

    /* What Direct3DCreate9 makes knows nothing of Ex. */
    made = make_d3d();
    unknown = (void *)1;
    HR(E_NOINTERFACE, IDirect3D9_QueryInterface(made, &IID_IDirect3D9Ex, (void **)&unknown));
    CHECK(unknown == NULL, "a refused QueryInterface leaves a pointer");
    device9 = make_device(made);
    unknown = (void *)1;
    HR(E_NOINTERFACE, IDirect3DDevice9_QueryInterface(device9, &IID_IDirect3DDevice9Ex, (void **)&unknown));
    CHECK(unknown == NULL, "a refused QueryInterface leaves a pointer");
    CHECK(IDirect3DDevice9_Release(device9) == 0, "something still holds the plain device");
    CHECK(IDirect3D9_Release(made) == 0, "something still holds the plain Direct3D");
}

static void modes(void)
{
    D3DDISPLAYMODEFILTER filter = { sizeof filter, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE };
    D3DDISPLAYMODEEX mode;
    D3DDISPLAYROTATION rotation;
    UINT i, found;
    LUID luid;

    found = IDirect3D9Ex_GetAdapterModeCountEx(d3d, 0, &filter);
    CHECK(found > 0, "no modes");
    CHECK(IDirect3D9Ex_GetAdapterModeCountEx(d3d, 1, &filter) == 0, "modes of an adapter there is not");
    for (i = 0; i < found; i++) {
        memset(&mode, 0, sizeof mode);
        mode.Size = sizeof mode;
        OK(IDirect3D9Ex_EnumAdapterModesEx(d3d, 0, &filter, i, &mode));
        CHECK(mode.Size == sizeof mode && mode.Format == D3DFMT_X8R8G8B8 && mode.Width && mode.Height &&
              mode.ScanLineOrdering == D3DSCANLINEORDERING_PROGRESSIVE, "mode %u", i);
    }
    INVALID(IDirect3D9Ex_EnumAdapterModesEx(d3d, 0, &filter, found, &mode));
    filter.Format = D3DFMT_A8R8G8B8;
    CHECK(IDirect3D9Ex_GetAdapterModeCountEx(d3d, 0, &filter) == 0, "a screen with alpha");

    /* The size says which struct the program has. */
    mode.Size = sizeof mode;
    OK(IDirect3D9Ex_GetAdapterDisplayModeEx(d3d, 0, &mode, &rotation));
    CHECK(rotation == D3DDISPLAYROTATION_IDENTITY, "the rotation is %d", rotation);
    OK(IDirect3D9Ex_GetAdapterDisplayModeEx(d3d, 0, &mode, NULL));
    INVALID(IDirect3D9Ex_GetAdapterDisplayModeEx(d3d, 1, &mode, &rotation));
    OK(IDirect3DDevice9Ex_GetDisplayModeEx(device, 0, &mode, &rotation));
    INVALID(IDirect3DDevice9Ex_GetDisplayModeEx(device, 1, &mode, &rotation));
    mode.Size = 0;
    INVALID(IDirect3D9Ex_GetAdapterDisplayModeEx(d3d, 0, &mode, &rotation));
    INVALID(IDirect3DDevice9Ex_GetDisplayModeEx(device, 0, &mode, &rotation));
    OK(IDirect3D9Ex_GetAdapterLUID(d3d, 0, &luid));
    INVALID(IDirect3D9Ex_GetAdapterLUID(d3d, 1, &luid));
}

static void creation(void)
{
    static const struct { D3DSWAPEFFECT effect; UINT buffers; HRESULT code; } table[] = {
        { (D3DSWAPEFFECT)0, 1, D3DERR_INVALIDCALL }, { D3DSWAPEFFECT_DISCARD, 1, D3D_OK },
        { D3DSWAPEFFECT_FLIP, 3, D3D_OK }, { D3DSWAPEFFECT_FLIP, 30, D3D_OK },
        { D3DSWAPEFFECT_FLIP, 31, D3DERR_INVALIDCALL }, { D3DSWAPEFFECT_COPY, 1, D3D_OK },
        { D3DSWAPEFFECT_COPY, 2, D3DERR_INVALIDCALL }, { D3DSWAPEFFECT_FLIPEX, 2, D3D_OK },
        { (D3DSWAPEFFECT)6, 2, D3DERR_INVALIDCALL },
    };
    UINT i;

    for (i = 0; i < sizeof table / sizeof *table; i++) {
        D3DPRESENT_PARAMETERS p = parameters();
        IDirect3DDevice9Ex *made = NULL;
        p.SwapEffect = table[i].effect;
        p.BackBufferCount = table[i].buffers;
        HR(table[i].code, IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, shown, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                                      &p, NULL, &made));
        if (made)
            CHECK(IDirect3DDevice9Ex_Release(made) == 0, "something still holds device %u", i);
    }
}

static void pools(void)
{
    IDirect3DTexture9 *texture = (void *)1;
    IDirect3DVertexBuffer9 *buffer = NULL;
    IDirect3DSurface9 *surface = NULL;

    INVALID(IDirect3DDevice9Ex_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    CHECK(texture == NULL, "a failed CreateTexture leaves a pointer");
    INVALID(IDirect3DDevice9Ex_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DDevice9Ex_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    IDirect3DTexture9_Release(texture);
    OK(IDirect3DDevice9Ex_EvictManagedResources(device));
    OK(IDirect3DDevice9Ex_CreateRenderTargetEx(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, 0));
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(device, 8, 8, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, 0));
    IDirect3DSurface9_Release(surface);
    /* What the surface is for is not a usage of it. */
    INVALID(IDirect3DDevice9Ex_CreateRenderTargetEx(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, D3DUSAGE_RENDERTARGET));
    INVALID(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(device, 8, 8, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, D3DUSAGE_DEPTHSTENCIL));
}

static void latency(void)
{
    static const struct { UINT set; HRESULT code; UINT then; } table[] = {
        { 1, D3D_OK, 1 }, { 0, D3D_OK, 3 }, { 30, D3D_OK, 30 }, { 31, D3DERR_INVALIDCALL, 30 },
    };
    UINT i, frames = 0;

    OK(IDirect3DDevice9Ex_GetMaximumFrameLatency(device, &frames));
    CHECK(frames == 3, "%u frames to begin with", frames);
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        HR(table[i].code, IDirect3DDevice9Ex_SetMaximumFrameLatency(device, table[i].set));
        OK(IDirect3DDevice9Ex_GetMaximumFrameLatency(device, &frames));
        CHECK(frames == table[i].then, "%u frames after %u", frames, table[i].set);
    }
}

/* Reset keeps everything but what depends on the back buffer, and nothing stands in its way. */
static void resets(void)
{
    D3DPRESENT_PARAMETERS p = parameters();
    IDirect3DTexture9 *texture = NULL;
    IDirect3DBaseTexture9 *found;
    IDirect3DSurface9 *back = NULL, *target = NULL, *other = NULL;
    D3DVIEWPORT9 viewport = { 1, 2, 3, 4, 0, 1 };
    D3DDISPLAYMODEEX mode;
    DWORD value;
    UINT turn;

    OK(IDirect3DDevice9Ex_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    for (turn = 0; turn < 2; turn++) {
        OK(IDirect3DDevice9Ex_SetRenderState(device, D3DRS_LIGHTING, FALSE));
        OK(IDirect3DDevice9Ex_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
        OK(IDirect3DDevice9Ex_SetViewport(device, &viewport));
        p.BackBufferWidth = 32 + turn;
        if (turn)
            OK(IDirect3DDevice9Ex_ResetEx(device, &p, NULL));
        else
            OK(IDirect3DDevice9Ex_Reset(device, &p));
        OK(IDirect3DDevice9Ex_GetRenderState(device, D3DRS_LIGHTING, &value));
        CHECK(value == FALSE, "a render state goes with the back buffer");
        OK(IDirect3DDevice9Ex_GetTexture(device, 0, &found));
        CHECK((void *)found == (void *)texture, "a texture goes with the back buffer");
        if (found)
            IDirect3DBaseTexture9_Release(found);
        OK(IDirect3DDevice9Ex_GetViewport(device, &viewport));
        CHECK(viewport.X == 0 && viewport.Width == 32 + turn, "the viewport begins at %u", (unsigned)viewport.X);
    }
    IDirect3DTexture9_Release(texture);

    OK(IDirect3DDevice9Ex_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DDevice9Ex_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &other, NULL));
    OK(IDirect3DDevice9Ex_SetRenderTarget(device, 0, other));
    OK(IDirect3DDevice9Ex_ResetEx(device, &p, NULL));
    OK(IDirect3DDevice9Ex_GetRenderTarget(device, 0, &target));
    CHECK(target != other, "the target stays");
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(other);
    IDirect3DSurface9_Release(back);

    memset(&mode, 0, sizeof mode);
    mode.Size = sizeof mode;
    INVALID(IDirect3DDevice9Ex_ResetEx(device, &p, &mode));
    p.SwapEffect = (D3DSWAPEFFECT)0;
    INVALID(IDirect3DDevice9Ex_ResetEx(device, &p, NULL));
    OK(IDirect3DDevice9Ex_TestCooperativeLevel(device));
    OK(IDirect3DDevice9Ex_CheckDeviceState(device, shown));
    OK(IDirect3DDevice9Ex_CheckDeviceState(device, NULL));
    OK(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0));
}

static void swap_chain(void)
{
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSwapChain9Ex *extended = NULL;
    D3DDISPLAYMODEEX mode;
    D3DPRESENTSTATS stats;
    UINT count;

    OK(IDirect3DDevice9Ex_GetSwapChain(device, 0, &chain));
    OK(IDirect3DSwapChain9_QueryInterface(chain, &IID_IDirect3DSwapChain9Ex, (void **)&extended));
    CHECK((void *)extended == (void *)chain, "IDirect3DSwapChain9Ex is another object");
    OK(IDirect3DSwapChain9Ex_GetLastPresentCount(extended, &count));
    OK(IDirect3DSwapChain9Ex_GetPresentStats(extended, &stats));
    mode.Size = sizeof mode;
    OK(IDirect3DSwapChain9Ex_GetDisplayModeEx(extended, &mode, NULL));
    mode.Size = 0;
    INVALID(IDirect3DSwapChain9Ex_GetDisplayModeEx(extended, &mode, NULL));
    IDirect3DSwapChain9Ex_Release(extended);
    IDirect3DSwapChain9_Release(chain);
}

/* System memory may be the program's own; elsewhere a shared handle is not looked at, or refused. */
static void own_memory(void)
{
    static const struct { D3DPOOL pool; UINT levels; HRESULT texture, surface, other, buffer; } table[] = {
        { D3DPOOL_DEFAULT, 0, D3D_OK, D3D_OK, D3D_OK, D3D_OK },
        { D3DPOOL_MANAGED, 1, D3DERR_INVALIDCALL, D3DERR_INVALIDCALL, D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE },
        { D3DPOOL_SYSTEMMEM, 0, D3DERR_INVALIDCALL, D3D_OK, D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE },
        { D3DPOOL_SYSTEMMEM, 1, D3D_OK, D3D_OK, D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE },
        { D3DPOOL_SYSTEMMEM, 2, D3DERR_INVALIDCALL, D3D_OK, D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE },
        { D3DPOOL_SCRATCH, 1, D3DERR_INVALIDCALL, D3DERR_INVALIDCALL, D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE },
    };
    static const struct { D3DFORMAT format; INT pitch, size; } layouts[] = {
        { D3DFMT_A8R8G8B8, 40, 240 }, { D3DFMT_R5G6B5, 20, 120 }, { D3DFMT_L8, 10, 60 },
    };
    static DWORD memory[1024];
    const RECT part = { 4, 2, 8, 6 };
    IDirect3DTexture9 *texture, *shown;
    IDirect3DCubeTexture9 *cube;
    IDirect3DVolumeTexture9 *volume;
    IDirect3DVertexBuffer9 *buffer;
    IDirect3DSurface9 *surface;
    IDirect3DSurface9 *level;
    D3DLOCKED_RECT locked;
    HANDLE handle;
    UINT i;

    for (i = 0; i < sizeof table / sizeof *table; i++) {
        handle = memory;
        texture = (void *)1, surface = (void *)1, buffer = (void *)1, cube = (void *)1, volume = (void *)1;
        HR(table[i].texture, IDirect3DDevice9Ex_CreateTexture(device, 8, 8, table[i].levels, 0, D3DFMT_A8R8G8B8, table[i].pool, &texture, &handle));
        HR(table[i].other, IDirect3DDevice9Ex_CreateCubeTexture(device, 8, 1, 0, D3DFMT_A8R8G8B8, table[i].pool, &cube, &handle));
        HR(table[i].other, IDirect3DDevice9Ex_CreateVolumeTexture(device, 8, 8, 8, 1, 0, D3DFMT_A8R8G8B8, table[i].pool, &volume, &handle));
        HR(table[i].surface, IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_A8R8G8B8, table[i].pool, &surface, &handle));
        HR(table[i].buffer, IDirect3DDevice9Ex_CreateVertexBuffer(device, 64, 0, 0, table[i].pool, &buffer, &handle));
        CHECK(handle == memory, "case %u changes the handle", i);
        CHECK(FAILED(table[i].texture) == !texture && FAILED(table[i].surface) == !surface && FAILED(table[i].other) == !cube,
              "case %u leaves pointers", i);
        CHECK(SUCCEEDED(table[i].buffer) || buffer == (void *)1, "case %u writes a pointer", i);
        if (texture)
            IDirect3DTexture9_Release(texture);
        if (cube)
            IDirect3DCubeTexture9_Release(cube);
        if (volume)
            IDirect3DVolumeTexture9_Release(volume);
        if (surface)
            IDirect3DSurface9_Release(surface);
        if (SUCCEEDED(table[i].buffer))
            IDirect3DVertexBuffer9_Release(buffer);
    }

    for (i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        memset(memory, 0xCC, sizeof memory);
        handle = memory;
        OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 10, 6, layouts[i].format, D3DPOOL_SYSTEMMEM, &surface, &handle));
        OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0));
        CHECK(locked.pBits == memory && locked.Pitch == layouts[i].pitch, "format %d: pitch %d", layouts[i].format, locked.Pitch);
        memset(locked.pBits, 0x11, locked.Pitch * 6);
        OK(IDirect3DSurface9_UnlockRect(surface));
        OK(IDirect3DSurface9_LockRect(surface, &locked, &part, 0));
        CHECK((char *)locked.pBits - (char *)memory == 2 * layouts[i].pitch + 4 * layouts[i].pitch / 10, "format %d: a part",
              layouts[i].format);
        OK(IDirect3DSurface9_UnlockRect(surface));
        IDirect3DSurface9_Release(surface);
        CHECK(((BYTE *)memory)[layouts[i].size - 1] == 0x11 && ((BYTE *)memory)[layouts[i].size] == 0xCC, "format %d: its size",
              layouts[i].format);
    }

    /* What the program writes is what is copied; changes without a lock make nothing dirty. */
    for (i = 0; i < 64; i++)
        memory[i] = 0xFF000000 | i * 3;
    handle = memory;
    OK(IDirect3DDevice9Ex_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &texture, &handle));
    OK(IDirect3DDevice9Ex_CreateTexture(device, 8, 8, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &shown, NULL));
    memory[9] = 0xFF123456;
    OK(IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture, (IDirect3DBaseTexture9 *)shown));
    OK(IDirect3DTexture9_GetSurfaceLevel(shown, 0, &surface));
    CHECK(surface_pixel((IDirect3DDevice9 *)device, surface, 1, 1) == 0xFF123456, "the program's texel");
    CHECK(surface_pixel((IDirect3DDevice9 *)device, surface, 3, 3) == 0xFF000051, "another");
    memory[9] = 0xFF654321;
    OK(IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture, (IDirect3DBaseTexture9 *)shown));
    CHECK(surface_pixel((IDirect3DDevice9 *)device, surface, 1, 1) == 0xFF123456, "a change that nobody told of is copied");
    OK(IDirect3DTexture9_AddDirtyRect(texture, NULL));
    OK(IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture, (IDirect3DBaseTexture9 *)shown));
    CHECK(surface_pixel((IDirect3DDevice9 *)device, surface, 1, 1) == 0xFF654321, "a dirty texel");
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DDevice9Ex_ColorFill(device, surface, NULL, 0xFF102030));
    OK(IDirect3DDevice9Ex_GetRenderTargetData(device, surface, level));
    OK(IDirect3DSurface9_LockRect(level, &locked, NULL, D3DLOCK_READONLY));
    CHECK(locked.pBits == memory && memory[20] == 0xFF102030, "what is read back is %08x", (unsigned)memory[20]);
    OK(IDirect3DSurface9_UnlockRect(level));
    IDirect3DSurface9_Release(level);
    IDirect3DSurface9_Release(surface);
    IDirect3DTexture9_Release(shown);
    IDirect3DTexture9_Release(texture);
    OURS({
        OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(device, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &surface, &handle, 0));
        OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY));
        CHECK(locked.pBits == memory, "the Ex form has other memory");
        OK(IDirect3DSurface9_UnlockRect(surface));
        IDirect3DSurface9_Release(surface);
    });
}

/* Devices that are not extended share nothing. */
static void plain_devices(void)
{
    static DWORD memory[64];
    static const D3DPOOL pools[] = { D3DPOOL_DEFAULT, D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH };
    IDirect3D9 *made = make_d3d();
    IDirect3DDevice9 *plain = make_device(made);
    UINT i, own;
    for (i = 0; i < sizeof pools / sizeof *pools; i++)
        for (own = 0; own < 2; own++) {
            IDirect3DTexture9 *texture = (void *)1;
            IDirect3DIndexBuffer9 *buffer = (void *)1;
            HANDLE handle = own ? memory : NULL;
            HR(E_NOTIMPL, IDirect3DDevice9_CreateTexture(plain, 4, 4, 1, 0, D3DFMT_A8R8G8B8, pools[i], &texture, &handle));
            HR(E_NOTIMPL, IDirect3DDevice9_CreateIndexBuffer(plain, 64, 0, D3DFMT_INDEX16, pools[i], &buffer, &handle));
            CHECK(!texture && buffer == (void *)1, "pool %u: pointers", i);
        }
    IDirect3DDevice9_Release(plain);
    IDirect3D9_Release(made);
}

int main(void)
{
    D3DPRESENT_PARAMETERS p = parameters();
    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d));
    OK(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, shown, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL, &device));
    interfaces();
    modes();
    creation();
    pools();
    latency();
    resets();
    swap_chain();
    own_memory();
    plain_devices();
    CHECK(IDirect3DDevice9Ex_Release(device) == 0, "something still holds the device");
    CHECK(IDirect3D9Ex_Release(d3d) == 0, "something still holds Direct3D");
    return finish("ex");
}
