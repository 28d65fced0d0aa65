/* Pitches, what locks refuse, and what they leave in the caller's structure. */
#include "common.h"

#define FOURCC(name) ((D3DFORMAT)MAKEFOURCC((name)[0], (name)[1], (name)[2], (name)[3]))

static IDirect3DDevice9 *device;

/* A call's mark: what a failed lock may leave or clear. */
static const D3DLOCKED_RECT MARK = { 0x1234, (void *)0x1234 };

static IDirect3DTexture9 *texture(UINT side, DWORD usage, D3DFORMAT format, D3DPOOL pool)
{
    IDirect3DTexture9 *t = NULL;
    OK(IDirect3DDevice9_CreateTexture(device, side, side, 1, usage, format, pool, &t, NULL));
    return t;
}

static IDirect3DSurface9 *plain(UINT side, D3DFORMAT format, D3DPOOL pool)
{
    IDirect3DSurface9 *s = NULL;
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, side, side, format, pool, &s, NULL));
    return s;
}

/* Rows begin at multiples of four bytes; of blocks a row is a row of blocks; ATI formats tell a byte
 * a texel. */
static void pitches(void)
{
    static const struct {
        const char *name;
        D3DFORMAT format;
        UINT width;
        INT pitch;
    } cases[] = {
        { "R8G8B8", D3DFMT_R8G8B8, 5, 16 },   { "A8R8G8B8", D3DFMT_A8R8G8B8, 5, 20 }, { "R5G6B5", D3DFMT_R5G6B5, 5, 12 },
        { "L8", D3DFMT_L8, 5, 8 },            { "A8L8", D3DFMT_A8L8, 7, 16 },         { "P8", D3DFMT_P8, 3, 4 },
        { "DXT1", D3DFMT_DXT1, 8, 16 },       { "DXT5", D3DFMT_DXT5, 8, 32 },         { "YUY2", D3DFMT_YUY2, 6, 12 },
        { "UYVY", D3DFMT_UYVY, 5, 12 },       { "R16F", D3DFMT_R16F, 3, 8 },          { "G32R32F", D3DFMT_G32R32F, 3, 24 },
        { "D16", D3DFMT_D16_LOCKABLE, 3, 8 }, { "ATI1", 0, 8, 8 },                    { "ATI2", 0, 8, 8 },
        { "Q16W16V16U16", D3DFMT_Q16W16V16U16, 3, 24 },
    };
    unsigned i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        IDirect3DSurface9 *s = NULL;
        D3DLOCKED_RECT locked = MARK;
        D3DFORMAT format = cases[i].format ? cases[i].format : FOURCC(cases[i].name);
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, cases[i].width, 8, format, D3DPOOL_SCRATCH, &s, NULL));
        if (!s)
            continue;
        OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
        CHECK(locked.Pitch == cases[i].pitch, "%s of %u texels: pitch %d, not %d", cases[i].name, cases[i].width,
              (int)locked.Pitch, (int)cases[i].pitch);
        OK(IDirect3DSurface9_UnlockRect(s));
        IDirect3DSurface9_Release(s);
    }
}

static void mip_pitches(void)
{
    static const INT dxt[] = { 64, 32, 16, 8, 8, 8 }, l8[] = { 32, 16, 8, 4, 4, 4 };
    int level, kind;
    for (kind = 0; kind < 2; kind++) {
        IDirect3DTexture9 *t = NULL;
        OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 0, 0, kind ? D3DFMT_L8 : D3DFMT_DXT1, D3DPOOL_MANAGED, &t, NULL));
        CHECK(IDirect3DTexture9_GetLevelCount(t) == 6, "32 texels make six levels");
        for (level = 0; level < 6; level++) {
            D3DLOCKED_RECT locked = MARK;
            OK(IDirect3DTexture9_LockRect(t, level, &locked, NULL, 0));
            CHECK(locked.Pitch == (kind ? l8 : dxt)[level], "level %d: pitch %d", level, (int)locked.Pitch);
            OK(IDirect3DTexture9_UnlockRect(t, level));
        }
        INVALID(IDirect3DTexture9_LockRect(t, 6, (D3DLOCKED_RECT *)&(D3DLOCKED_RECT){ 0 }, NULL, 0));
        INVALID(IDirect3DTexture9_UnlockRect(t, 6));
        IDirect3DTexture9_Release(t);
    }
}

/* 2D textures look at no rectangle; pBits is where its first texel would be. */
static void rectangles_of_textures(void)
{
    static const struct {
        RECT rect;
        int offset;
    } cases[] = {
        { { 60, 60, 68, 68 }, 60 * 512 + 240 },   { { 60, 60, 60, 68 }, 60 * 512 + 240 },
        { { 68, 60, 60, 68 }, 60 * 512 + 272 },   { { 120, 60, 129, 68 }, 60 * 512 + 480 },
        { { -1, 60, 68, 68 }, 60 * 512 - 4 },     { { 60, -1, 68, 68 }, 240 - 512 },
        { { 200, 200, 300, 300 }, 200 * 512 + 800 }, { { 0, 0, 0, 0 }, 0 },
    };
    static const D3DPOOL pools[] = { D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH, D3DPOOL_DEFAULT };
    unsigned i, p;
    for (p = 0; p < 4; p++) {
        IDirect3DTexture9 *t = texture(128, pools[p] ? 0 : D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, pools[p]);
        D3DLOCKED_RECT locked;
        char *base;
        OK(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, 0));
        base = locked.pBits;
        OK(IDirect3DTexture9_UnlockRect(t, 0));
        for (i = 0; i < sizeof cases / sizeof *cases; i++) {
            OK(IDirect3DTexture9_LockRect(t, 0, &locked, &cases[i].rect, 0));
            CHECK((int)((char *)locked.pBits - base) == cases[i].offset, "pool %u, rectangle %u: offset %d", p, i,
                  (int)((char *)locked.pBits - base));
            CHECK(locked.Pitch == 512, "pitch %d", (int)locked.Pitch);
            OK(IDirect3DTexture9_UnlockRect(t, 0));
        }
        IDirect3DTexture9_Release(t);
    }
}

/* In the default pool none may cut a block or leave the level; elsewhere DXT is as free as others. */
static void rectangles_of_blocks(void)
{
    static const RECT bad[] = { { 2, 0, 6, 4 },    { 0, 2, 4, 6 },      { 4, 4, 10, 12 },   { 4, 4, 12, 10 },
                                { 60, 60, 60, 68 }, { 68, 60, 60, 68 }, { -4, 60, 68, 68 }, { 120, 60, 132, 68 } };
    static const RECT good[] = { { 4, 8, 12, 16 }, { 124, 124, 128, 128 }, { 0, 0, 128, 128 } };
    static const int offsets[] = { 2 * 256 + 8, 31 * 256 + 31 * 8, 0 };
    unsigned i, p;
    for (p = 0; p < 2; p++) {
        IDirect3DTexture9 *t =
            p ? texture(128, 0, D3DFMT_DXT1, D3DPOOL_MANAGED) : texture(128, D3DUSAGE_DYNAMIC, D3DFMT_DXT1, D3DPOOL_DEFAULT);
        D3DLOCKED_RECT locked;
        char *base;
        OK(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, 0));
        base = locked.pBits;
        OK(IDirect3DTexture9_UnlockRect(t, 0));
        for (i = 0; i < sizeof bad / sizeof *bad; i++) {
            HRESULT hr = IDirect3DTexture9_LockRect(t, 0, &locked, &bad[i], 0);
            CHECK(hr == (p ? D3D_OK : D3DERR_INVALIDCALL), "%u: DXT1 rectangle %u: %#x", p, i, (unsigned)hr);
            if (SUCCEEDED(hr))
                OK(IDirect3DTexture9_UnlockRect(t, 0));
        }
        for (i = 0; i < sizeof good / sizeof *good; i++) {
            OK(IDirect3DTexture9_LockRect(t, 0, &locked, &good[i], 0));
            CHECK((char *)locked.pBits - base == offsets[i], "DXT1 rectangle %u: offset %d", i,
                  (int)((char *)locked.pBits - base));
            OK(IDirect3DTexture9_UnlockRect(t, 0));
        }
        IDirect3DTexture9_Release(t);
    }
}

/* Surfaces and cube faces refuse what leaves them, and clear what they were given, but for formats in
 * blocks. Others than Windows and this library do not. */
static void rectangles_of_surfaces(void)
{
    static const RECT bad[] = { { 8, 8, 8, 16 }, { 16, 8, 8, 16 }, { -1, 0, 8, 8 }, { 0, 0, 33, 8 }, { 40, 40, 50, 50 } };
    IDirect3DSurface9 *s = plain(32, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH);
    IDirect3DCubeTexture9 *cube = NULL;
    D3DLOCKED_RECT locked = MARK;
    RECT good = { 4, 8, 12, 16 };
    unsigned i;
    OK(IDirect3DDevice9_CreateCubeTexture(device, 32, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &cube, NULL));
    OK(IDirect3DSurface9_LockRect(s, &locked, &good, 0));
    OK(IDirect3DSurface9_UnlockRect(s));
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        OURS(locked = MARK);
        OURS(INVALID(IDirect3DSurface9_LockRect(s, &locked, &bad[i], 0)));
        OURS(CHECK(!locked.pBits && !locked.Pitch, "a surface left %p", locked.pBits));
        OURS(locked = MARK);
        OURS(INVALID(IDirect3DCubeTexture9_LockRect(cube, 1, 0, &locked, &bad[i], 0)));
        OURS(CHECK(!locked.pBits && !locked.Pitch, "a cube left %p", locked.pBits));
    }
    IDirect3DSurface9_Release(s);
    IDirect3DCubeTexture9_Release(cube);
    s = plain(32, D3DFMT_DXT1, D3DPOOL_SCRATCH);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        OK(IDirect3DSurface9_LockRect(s, &locked, &bad[i], 0));
        OK(IDirect3DSurface9_UnlockRect(s));
    }
    IDirect3DSurface9_Release(s);
}

static void twice(void)
{
    IDirect3DTexture9 *t = texture(8, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
    IDirect3DSurface9 *s = plain(8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM), *level = NULL;
    IDirect3DCubeTexture9 *cube = NULL;
    IDirect3DVolumeTexture9 *volume = NULL;
    D3DLOCKED_RECT locked = MARK, first;
    D3DLOCKED_BOX box;
    RECT corner = { 0, 0, 2, 2 };

    OK(IDirect3DTexture9_LockRect(t, 0, &first, NULL, 0));
    INVALID(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, 0));
    CHECK(locked.pBits == MARK.pBits && locked.Pitch == MARK.Pitch, "a texture wrote %p", locked.pBits);
    OK(IDirect3DTexture9_GetSurfaceLevel(t, 0, &level));
    INVALID(IDirect3DSurface9_LockRect(level, &locked, &corner, 0));
    OK(IDirect3DSurface9_UnlockRect(level));
    OK(IDirect3DTexture9_UnlockRect(t, 0)); /* 2D textures do not mind */
    OK(IDirect3DSurface9_UnlockRect(level));
    OK(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, D3DLOCK_READONLY));
    CHECK(locked.pBits == first.pBits, "memory moved");
    OK(IDirect3DTexture9_UnlockRect(t, 0));
    IDirect3DSurface9_Release(level);
    IDirect3DTexture9_Release(t);

    INVALID(IDirect3DSurface9_UnlockRect(s));
    OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    INVALID(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(s));
    INVALID(IDirect3DSurface9_UnlockRect(s));
    IDirect3DSurface9_Release(s);

    OK(IDirect3DDevice9_CreateCubeTexture(device, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &cube, NULL));
    OK(IDirect3DCubeTexture9_LockRect(cube, 1, 0, &locked, NULL, 0));
    INVALID(IDirect3DCubeTexture9_LockRect(cube, 1, 0, &locked, NULL, 0));
    OK(IDirect3DCubeTexture9_LockRect(cube, 2, 0, &locked, NULL, 0));
    OK(IDirect3DCubeTexture9_UnlockRect(cube, 1, 0));
    INVALID(IDirect3DCubeTexture9_UnlockRect(cube, 1, 0));
    OK(IDirect3DCubeTexture9_UnlockRect(cube, 2, 0));
    INVALID(IDirect3DCubeTexture9_LockRect(cube, 6, 0, &locked, NULL, 0));
    INVALID(IDirect3DCubeTexture9_UnlockRect(cube, 6, 0));
    locked = MARK;
    INVALID(IDirect3DCubeTexture9_LockRect(cube, 5, 1, &locked, NULL, 0));
    CHECK(locked.pBits == MARK.pBits && locked.Pitch == MARK.Pitch, "a level that is not there wrote %p", locked.pBits);
    IDirect3DCubeTexture9_Release(cube);

    OK(IDirect3DDevice9_CreateVolumeTexture(device, 8, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &volume, NULL));
    OK(IDirect3DVolumeTexture9_LockBox(volume, 0, &box, NULL, 0));
    CHECK(box.RowPitch == 32 && box.SlicePitch == 256, "pitches %d %d", (int)box.RowPitch, (int)box.SlicePitch);
    box.pBits = MARK.pBits;
    INVALID(IDirect3DVolumeTexture9_LockBox(volume, 0, &box, NULL, 0));
    CHECK(!box.pBits, "a volume left %p", box.pBits);
    OK(IDirect3DVolumeTexture9_UnlockBox(volume, 0));
    INVALID(IDirect3DVolumeTexture9_UnlockBox(volume, 0));
    IDirect3DVolumeTexture9_Release(volume);
}

static void boxes(void)
{
    static const D3DBOX bad[] = { { 2, 2, 2, 8, 1, 2 },  { 2, 2, 8, 2, 1, 2 },  { 2, 2, 8, 8, 1, 1 },  { 8, 2, 2, 8, 1, 2 },
                                  { 0, 0, 17, 8, 1, 2 }, { 0, 0, 8, 17, 1, 2 }, { 0, 0, 8, 8, 1, 5 }, { 20, 20, 30, 30, 0, 1 } };
    static const D3DBOX cuts[] = { { 2, 0, 6, 4, 0, 1 }, { 0, 2, 4, 6, 0, 1 }, { 4, 4, 10, 12, 0, 1 } };
    IDirect3DVolumeTexture9 *v = NULL;
    D3DBOX inside = { 2, 3, 8, 9, 1, 3 };
    D3DLOCKED_BOX all, box;
    unsigned i;
    OK(IDirect3DDevice9_CreateVolumeTexture(device, 16, 16, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &v, NULL));
    OK(IDirect3DVolumeTexture9_LockBox(v, 0, &all, NULL, 0));
    OK(IDirect3DVolumeTexture9_UnlockBox(v, 0));
    OK(IDirect3DVolumeTexture9_LockBox(v, 0, &box, &inside, 0));
    CHECK((char *)box.pBits - (char *)all.pBits == 1 * 1024 + 3 * 64 + 2 * 4, "a box begins at %d",
          (int)((char *)box.pBits - (char *)all.pBits));
    OK(IDirect3DVolumeTexture9_UnlockBox(v, 0));
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        INVALID(IDirect3DVolumeTexture9_LockBox(v, 0, &box, &bad[i], 0));
    IDirect3DVolumeTexture9_Release(v);
    OK(IDirect3DDevice9_CreateVolumeTexture(device, 16, 16, 4, 1, 0, D3DFMT_DXT5, D3DPOOL_MANAGED, &v, NULL));
    for (i = 0; i < sizeof cuts / sizeof *cuts; i++)
        INVALID(IDirect3DVolumeTexture9_LockBox(v, 0, &box, &cuts[i], 0));
    IDirect3DVolumeTexture9_Release(v);
}

/* Levels lie one behind the other, faces at multiples of 16 bytes: programs walk from one to the next. */
static void layout(void)
{
    static const D3DPOOL pools[] = { D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH };
    static const D3DFORMAT kinds[] = { D3DFMT_A8R8G8B8, D3DFMT_L8, D3DFMT_DXT1 };
    unsigned p, f, i, face;
    for (p = 0; p < 3; p++)
        for (f = 0; f < 3; f++) {
            IDirect3DTexture9 *t = NULL;
            IDirect3DCubeTexture9 *cube = NULL;
            D3DLOCKED_RECT locked;
            char *base = NULL;
            size_t offset = 0;
            OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, 0, kinds[f], pools[p], &t, NULL));
            for (i = 0; i < 7; i++) {
                UINT rows = kinds[f] == D3DFMT_DXT1 ? (64 >> i) / 4 + ((64 >> i) < 4) : 64 >> i;
                OK(IDirect3DTexture9_LockRect(t, i, &locked, NULL, 0));
                base = i ? base : locked.pBits;
                CHECK(locked.pBits == base + offset, "format %u, pool %u, level %u is elsewhere", f, p, i);
                offset += (size_t)rows * locked.Pitch;
                OK(IDirect3DTexture9_UnlockRect(t, i));
            }
            IDirect3DTexture9_Release(t);
            offset = 0;
            OK(IDirect3DDevice9_CreateCubeTexture(device, 8, 0, 0, D3DFMT_L8, pools[p], &cube, NULL));
            for (face = 0; face < 6; face++) {
                offset = (offset + 15) & ~(size_t)15;
                for (i = 0; i < 4; i++) {
                    OK(IDirect3DCubeTexture9_LockRect(cube, face, i, &locked, NULL, 0));
                    base = i || face ? base : locked.pBits;
                    CHECK(locked.pBits == base + offset, "pool %u, face %u, level %u is elsewhere", p, face, i);
                    offset += (size_t)(8 >> i) * locked.Pitch;
                    OK(IDirect3DCubeTexture9_UnlockRect(cube, face, i));
                }
            }
            IDirect3DCubeTexture9_Release(cube);
        }
}

/* What cannot be locked at all. */
static void refused(void)
{
    D3DLOCKED_RECT locked;
    IDirect3DSurface9 *s = NULL;
    IDirect3DTexture9 *t = texture(8, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
    INVALID(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, 0));
    OK(IDirect3DTexture9_UnlockRect(t, 0));
    IDirect3DTexture9_Release(t);
    t = texture(8, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
    INVALID(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, 0));
    IDirect3DTexture9_Release(t);
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, 0, 0, FALSE, &s, NULL));
    INVALID(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    IDirect3DSurface9_Release(s);
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, 0, 0, TRUE, &s, NULL));
    OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(s));
    IDirect3DSurface9_Release(s);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &s));
    INVALID(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    IDirect3DSurface9_Release(s);
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &s));
    INVALID(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    IDirect3DSurface9_Release(s);
    t = texture(8, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
    OK(IDirect3DTexture9_LockRect(t, 0, &locked, NULL, D3DLOCK_DISCARD | D3DLOCK_READONLY)); /* odd, but no harm */
    OK(IDirect3DTexture9_UnlockRect(t, 0));
    IDirect3DTexture9_Release(t);
}

/* Depth that was cleared to a half, read as 16 bits; written back, it still cuts what lies behind. */
static void depth(void)
{
    IDirect3DSurface9 *s = NULL, *automatic = NULL;
    D3DLOCKED_RECT locked;
    UINT x, y;
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &automatic));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, D3DFMT_D16_LOCKABLE, 0, 0, FALSE, &s, NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, s));
    clear(device, 0);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.5f, 0));
    OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    CHECK(abs(*(WORD *)locked.pBits - 0x8000) <= 1, "depth %04x", *(WORD *)locked.pBits);
    /* The left half becomes the nearest. */
    for (y = 0; y < EDGE; y++)
        for (x = 0; x < EDGE / 2; x++)
            ((WORD *)((char *)locked.pBits + y * locked.Pitch))[x] = 0;
    OK(IDirect3DSurface9_UnlockRect(s));
    {
        static const struct {
            float x, y, z, w;
            DWORD color;
        } quad[] = { { 0, 0, 0.25f, 1, 0xFF00FF00 }, { EDGE, 0, 0.25f, 1, 0xFF00FF00 }, { 0, EDGE, 0.25f, 1, 0xFF00FF00 },
                     { EDGE, EDGE, 0.25f, 1, 0xFF00FF00 } };
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 0, 0));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, TRUE));
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof *quad));
        OK(IDirect3DDevice9_EndScene(device));
    }
    EXPECT_AT(device, EDGE / 4, EDGE / 2, 0x000000, "behind what a lock wrote");
    EXPECT_AT(device, EDGE * 3 / 4, EDGE / 2, 0x00FF00, "before what was cleared");
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, automatic));
    IDirect3DSurface9_Release(automatic);
    IDirect3DSurface9_Release(s);
}

/* A device context counts as a lock. */
static void contexts(void)
{
    static const D3DFORMAT good[] = { D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_X1R5G5B5 };
    static const D3DFORMAT bad[] = { D3DFMT_A8, D3DFMT_L8, D3DFMT_DXT1, D3DFMT_A4R4G4B4, D3DFMT_A8B8G8R8 };
    D3DLOCKED_RECT locked;
    unsigned i;
    HDC dc, other;
    for (i = 0; i < sizeof good / sizeof *good; i++) {
        IDirect3DSurface9 *s = plain(8, good[i], D3DPOOL_SYSTEMMEM);
        dc = NULL;
        OK(IDirect3DSurface9_GetDC(s, &dc));
        CHECK(dc != NULL, "no context");
        INVALID(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
        INVALID(IDirect3DSurface9_GetDC(s, &other));
        INVALID(IDirect3DSurface9_ReleaseDC(s, (HDC)0x1234));
        OK(IDirect3DSurface9_ReleaseDC(s, dc));
        INVALID(IDirect3DSurface9_ReleaseDC(s, dc));
        OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
        INVALID(IDirect3DSurface9_GetDC(s, &dc));
        OK(IDirect3DSurface9_UnlockRect(s));
        IDirect3DSurface9_Release(s);
    }
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        IDirect3DSurface9 *s = plain(8, bad[i], D3DPOOL_SYSTEMMEM);
        dc = (HDC)0x1234;
        INVALID(IDirect3DSurface9_GetDC(s, &dc));
        CHECK(dc == (HDC)0x1234, "a context of format %d", bad[i]);
        INVALID(IDirect3DSurface9_ReleaseDC(s, dc));
        IDirect3DSurface9_Release(s);
    }
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    pitches();
    mip_pitches();
    rectangles_of_textures();
    rectangles_of_blocks();
    rectangles_of_surfaces();
    twice();
    boxes();
    layout();
    refused();
    depth();
    contexts();
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device stays");
    IDirect3D9_Release(d3d);
    return finish("locks");
}
