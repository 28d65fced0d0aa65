/* What textures and surfaces remember: dirty regions one by one, which levels they speak for, when
 * they are recorded; device contexts beside locks; sizes and usages that are told or not. */
#include "common.h"

enum { SIDE = 8 };

static const DWORD RED = 0xFFFF0000, GREEN = 0xFF00FF00, BLUE = 0xFF0000FF;

static IDirect3DDevice9 *device;
static IDirect3DSurface9 *view, *seen;

static IDirect3DTexture9 *texture(UINT levels, DWORD usage, D3DPOOL pool)
{
    IDirect3DTexture9 *t = NULL;
    OK(IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, levels, usage, D3DFMT_A8R8G8B8, pool, &t, NULL));
    return t;
}

static void fill(const D3DLOCKED_RECT *locked, UINT side, DWORD color)
{
    UINT x, y;
    for (y = 0; y < side; y++)
        for (x = 0; x < side; x++)
            ((DWORD *)((char *)locked->pBits + y * locked->Pitch))[x] = color;
}

static void paint(IDirect3DTexture9 *t, UINT level, DWORD flags, DWORD color)
{
    D3DLOCKED_RECT locked;
    OK(IDirect3DTexture9_LockRect(t, level, &locked, NULL, flags));
    fill(&locked, SIDE >> level, color);
    OK(IDirect3DTexture9_UnlockRect(t, level));
}

/* Draws a level texel by pixel, and compares the rows 1 and 6: a letter for a pixel. */
static void show(IDirect3DTexture9 *t, UINT level, const char *what, const char *top, const char *bottom)
{
    static const struct {
        float x, y, z, w, u, v;
    } quad[] = { { -0.5f, -0.5f, 0, 1, 0, 0 }, { 7.5f, -0.5f, 0, 1, 1, 0 }, { -0.5f, 7.5f, 0, 1, 0, 1 }, { 7.5f, 7.5f, 0, 1, 1, 1 } };
    char rows[2][SIDE + 1] = { { 0 } };
    D3DLOCKED_RECT locked;
    int i, x;
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, level));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)t));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF123456, 0, 0));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof *quad));
    OK(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, view, seen));
    OK(IDirect3DSurface9_LockRect(seen, &locked, NULL, D3DLOCK_READONLY));
    for (i = 0; i < 2; i++)
        for (x = 0; x < SIDE; x++) {
            DWORD color = ((DWORD *)((char *)locked.pBits + (i ? 6 : 1) * locked.Pitch))[x];
            rows[i][x] = color == RED ? 'r' : color == GREEN ? 'g' : color == BLUE ? 'b' : (color & 0xFFFFFF) ? '?' : '.';
        }
    OK(IDirect3DSurface9_UnlockRect(seen));
    CHECK(!strcmp(rows[0], top) && !strcmp(rows[1], bottom), "%s: %s %s, not %s %s", what, rows[0], rows[1], top, bottom);
}

static HRESULT update(IDirect3DTexture9 *from, IDirect3DTexture9 *to)
{
    return IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)from, (IDirect3DBaseTexture9 *)to);
}

/* Two regions are two regions: what lies between them stays, in the levels below too. */
static void regions_apart(void)
{
    IDirect3DTexture9 *s = texture(2, 0, D3DPOOL_SYSTEMMEM), *d = texture(2, 0, D3DPOOL_DEFAULT), *m = texture(2, 0, D3DPOOL_MANAGED);
    RECT first = { 0, 0, 4, 4 }, last = { 4, 4, 8, 8 };
    D3DLOCKED_RECT locked;
    paint(s, 0, 0, RED);
    paint(s, 1, 0, BLUE);
    OK(update(s, d));
    paint(s, 0, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    paint(s, 1, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    OK(IDirect3DTexture9_AddDirtyRect(s, &first));
    OK(IDirect3DTexture9_LockRect(s, 0, &locked, &last, 0));
    OK(IDirect3DTexture9_UnlockRect(s, 0));
    OK(update(s, d));
    show(d, 0, "two regions", "ggggrrrr", "rrrrgggg");
    show(d, 1, "two regions below", "ggggbbbb", "bbbbgggg");
    paint(m, 0, 0, RED);
    paint(m, 1, 0, BLUE);
    show(m, 0, "managed", "rrrrrrrr", "rrrrrrrr");
    paint(m, 0, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    paint(m, 1, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    OK(IDirect3DTexture9_AddDirtyRect(m, &first));
    OK(IDirect3DTexture9_AddDirtyRect(m, &last));
    show(m, 0, "managed, two regions", "ggggrrrr", "rrrrgggg");
    show(m, 1, "managed, two regions below", "ggggbbbb", "bbbbgggg");
    IDirect3DTexture9_Release(s);
    IDirect3DTexture9_Release(d);
    IDirect3DTexture9_Release(m);
}

/* Locks of the levels below record nothing, and those of level 0 do so when they begin. */
static void when_and_where(void)
{
    IDirect3DTexture9 *m = texture(2, 0, D3DPOOL_MANAGED), *below = texture(2, 0, D3DPOOL_MANAGED), *d = texture(1, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT);
    D3DLOCKED_RECT locked;
    paint(m, 0, 0, RED);
    paint(m, 1, 0, RED);
    show(m, 1, "level 1", "rrrrrrrr", "rrrrrrrr");
    paint(m, 1, 0, GREEN);
    show(m, 1, "level 1 locked alone", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DTexture9_LockRect(m, 0, &locked, NULL, 0));
    fill(&locked, SIDE, BLUE);
    show(m, 0, "while locked", "bbbbbbbb", "bbbbbbbb");
    show(m, 1, "and the level below", "gggggggg", "gggggggg");
    OK(IDirect3DTexture9_UnlockRect(m, 0));
    /* New ones are dirty all over. */
    paint(below, 1, 0, GREEN);
    show(below, 1, "only level 1 written", "gggggggg", "gggggggg");
    /* What is written to the default pool is there after the unlock. */
    paint(d, 0, D3DLOCK_DISCARD, RED);
    show(d, 0, "dynamic", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DTexture9_LockRect(d, 0, &locked, NULL, 0));
    OK(IDirect3DTexture9_UnlockRect(d, 0));
    OK(IDirect3DTexture9_AddDirtyRect(d, NULL));
    show(d, 0, "dynamic, marked", "rrrrrrrr", "rrrrrrrr");
    IDirect3DTexture9_Release(m);
    IDirect3DTexture9_Release(below);
    IDirect3DTexture9_Release(d);
}

/* A device context keeps all levels of its texture from locks and other contexts, and the other way. */
static void contexts(int cube, DWORD usage, D3DPOOL pool)
{
    const int lockable = pool != D3DPOOL_DEFAULT || usage & D3DUSAGE_DYNAMIC;
    IDirect3DTexture9 *t = NULL;
    IDirect3DCubeTexture9 *c = NULL;
    IDirect3DSurface9 *a = NULL, *b = NULL;
    D3DLOCKED_RECT locked;
    HDC dc = NULL, other = (HDC)0x1234;
    if (cube) {
        OK(IDirect3DDevice9_CreateCubeTexture(device, SIDE, 0, usage, D3DFMT_A8R8G8B8, pool, &c, NULL));
        OK(IDirect3DCubeTexture9_GetCubeMapSurface(c, 0, 0, &a));
        OK(IDirect3DCubeTexture9_GetCubeMapSurface(c, 2, 1, &b));
    } else {
        t = texture(0, usage, pool);
        OK(IDirect3DTexture9_GetSurfaceLevel(t, 0, &a));
        OK(IDirect3DTexture9_GetSurfaceLevel(t, 1, &b));
    }
    OK(IDirect3DSurface9_GetDC(a, &dc));
    INVALID(IDirect3DSurface9_GetDC(a, &other));
    INVALID(IDirect3DSurface9_GetDC(b, &other));
    CHECK(other == (HDC)0x1234, "wrote %p", (void *)other);
    INVALID(IDirect3DSurface9_LockRect(a, &locked, NULL, 0));
    INVALID(IDirect3DSurface9_LockRect(b, &locked, NULL, 0));
    INVALID(IDirect3DSurface9_ReleaseDC(b, dc));
    OK(IDirect3DSurface9_ReleaseDC(a, dc));
    INVALID(IDirect3DSurface9_ReleaseDC(a, dc));
    if (lockable) {
        OK(IDirect3DSurface9_LockRect(a, &locked, NULL, 0));
        INVALID(IDirect3DSurface9_GetDC(a, &dc));
        INVALID(IDirect3DSurface9_GetDC(b, &dc));
        OK(IDirect3DSurface9_LockRect(b, &locked, NULL, 0));
        OK(IDirect3DSurface9_UnlockRect(a));
        INVALID(IDirect3DSurface9_GetDC(a, &dc));
        OK(IDirect3DSurface9_UnlockRect(b));
    }
    OK(IDirect3DSurface9_GetDC(b, &dc));
    OK(IDirect3DSurface9_ReleaseDC(b, dc));
    IDirect3DSurface9_Release(a);
    IDirect3DSurface9_Release(b);
    if (t)
        IDirect3DTexture9_Release(t);
    if (c)
        IDirect3DCubeTexture9_Release(c);
}

static void contexts_of_targets(IDirect3D9 *d3d)
{
    IDirect3DSurface9 *s = NULL;
    HDC dc = NULL;
    int lockable;
    for (lockable = 0; lockable < 2; lockable++) {
        D3DPRESENT_PARAMETERS p = windowed();
        IDirect3DDevice9 *other = NULL;
        p.Flags = lockable ? D3DPRESENTFLAG_LOCKABLE_BACKBUFFER : 0;
        OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, p.hDeviceWindow, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &other));
        OK(IDirect3DDevice9_GetBackBuffer(other, 0, 0, D3DBACKBUFFER_TYPE_MONO, &s));
        HR(lockable ? D3D_OK : D3DERR_INVALIDCALL, IDirect3DSurface9_GetDC(s, &dc));
        HR(lockable ? D3D_OK : D3DERR_INVALIDCALL, IDirect3DSurface9_ReleaseDC(s, dc));
        IDirect3DSurface9_Release(s);
        CHECK(IDirect3DDevice9_Release(other) == 0, "the device stays");
        /* Other targets do not mind. */
        OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_X8R8G8B8, 0, 0, lockable, &s, NULL));
        OK(IDirect3DSurface9_GetDC(s, &dc));
        OK(IDirect3DSurface9_ReleaseDC(s, dc));
        IDirect3DSurface9_Release(s);
    }
}

/* System memory is not bound to what the adapter can do; what it cannot do is not available. */
static void sizes(void)
{
    D3DCAPS9 caps;
    IDirect3DTexture9 *t = (IDirect3DTexture9 *)0x1234;
    IDirect3DSurface9 *s = NULL;
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    HR(D3DERR_NOTAVAILABLE, IDirect3DDevice9_CreateTexture(device, caps.MaxTextureWidth + 1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &t, NULL));
    CHECK(!t, "left %p", (void *)t);
    HR(D3DERR_NOTAVAILABLE, IDirect3DDevice9_CreateTexture(device, 1, caps.MaxTextureHeight + 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &t, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, caps.MaxTextureWidth + 1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &t, NULL));
    IDirect3DTexture9_Release(t);
    OK(IDirect3DDevice9_CreateTexture(device, caps.MaxTextureWidth + 1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH, &t, NULL));
    IDirect3DTexture9_Release(t);
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, caps.MaxTextureWidth + 1, 1, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &s, NULL));
    IDirect3DSurface9_Release(s);
    /* More levels than sizes do no harm. */
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 4, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &t, NULL));
    IDirect3DTexture9_Release(t);
}

/* Automatic levels are the texture's: its surface does not tell them. Buffers may be what textures may not. */
static void usages(void)
{
    IDirect3DTexture9 *t = texture(0, D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT);
    IDirect3DSurface9 *s = NULL;
    IDirect3DVertexBuffer9 *v = NULL;
    IDirect3DIndexBuffer9 *i = NULL;
    D3DVERTEXBUFFER_DESC buffer;
    D3DSURFACE_DESC desc;
    OK(IDirect3DTexture9_GetLevelDesc(t, 0, &desc));
    CHECK(desc.Usage == (D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET), "the texture's usage is %#x", (unsigned)desc.Usage);
    OK(IDirect3DTexture9_GetSurfaceLevel(t, 0, &s));
    OK(IDirect3DSurface9_GetDesc(s, &desc));
    CHECK(desc.Usage == D3DUSAGE_RENDERTARGET, "the surface's usage is %#x", (unsigned)desc.Usage);
    IDirect3DSurface9_Release(s);
    IDirect3DTexture9_Release(t);
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, D3DUSAGE_DYNAMIC, 0, D3DPOOL_MANAGED, &v, NULL));
    OK(IDirect3DVertexBuffer9_GetDesc(v, &buffer));
    CHECK(buffer.Usage == D3DUSAGE_DYNAMIC && buffer.Pool == D3DPOOL_MANAGED, "usage %#x, pool %u", (unsigned)buffer.Usage, (unsigned)buffer.Pool);
    IDirect3DVertexBuffer9_Release(v);
    OK(IDirect3DDevice9_CreateIndexBuffer(device, 64, D3DUSAGE_DYNAMIC, D3DFMT_INDEX16, D3DPOOL_MANAGED, &i, NULL));
    IDirect3DIndexBuffer9_Release(i);
}

static void questions(IDirect3D9 *d3d)
{
    /* Bits that mean nothing are not looked at, nor is the display's format beside two others. */
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0x01000000, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0x00800000, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8));
    OK(IDirect3D9_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_D24S8));
    OK(IDirect3D9_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, D3DFMT_A8R8G8B8, D3DFMT_D24S8));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, D3DFMT_A8R8G8B8, D3DFMT_A8R8G8B8));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_D24S8, D3DFMT_D24S8));
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DSurface9 *back = NULL;
    int cube;
    device = make_device(d3d);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A8R8G8B8, 0, 0, FALSE, &view, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIDE, SIDE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &seen, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, view));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    regions_apart();
    when_and_where();
    for (cube = 0; cube < 2; cube++) {
        contexts(cube, 0, D3DPOOL_DEFAULT);
        contexts(cube, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT);
        contexts(cube, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT);
        contexts(cube, 0, D3DPOOL_MANAGED);
        contexts(cube, 0, D3DPOOL_SYSTEMMEM);
        contexts(cube, 0, D3DPOOL_SCRATCH);
    }
    contexts_of_targets(d3d);
    sizes();
    usages();
    questions(d3d);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(view);
    IDirect3DSurface9_Release(seen);
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device stays");
    IDirect3D9_Release(d3d);
    return finish("resources");
}
