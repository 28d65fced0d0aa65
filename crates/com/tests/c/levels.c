/* Levels and faces: which ones are sampled, what UpdateSurface copies between them, and dirty regions
 * of cubes and volumes. */
#include "common.h"

enum { LEVELS = 5, BIG = 16, SIDE = 8 };

static IDirect3DDevice9 *device;

/* Draws a texture over all of the target, and gives the colours of two of its corners. */
static void draw(void *texture, DWORD *top, DWORD *bottom)
{
    static const struct {
        float x, y, z, rhw, u, v, w;
    } quad[] = { { -0.5f, -0.5f, 0, 1, 0, 0, 0.25f },
                 { EDGE - 0.5f, -0.5f, 0, 1, 1, 0, 0.25f },
                 { -0.5f, EDGE - 0.5f, 0, 1, 0, 1, 0.25f },
                 { EDGE - 0.5f, EDGE - 0.5f, 0, 1, 1, 1, 0.25f } };
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF123456, 0, 0));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof *quad));
    OK(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    *top = pixel(device, EDGE / 8, EDGE / 8) & 0xFFFFFF;
    *bottom = pixel(device, EDGE * 7 / 8, EDGE * 7 / 8) & 0xFFFFFF;
}

static void fill(void *bits, int pitch, UINT side, DWORD color)
{
    UINT x, y;
    for (y = 0; y < side; y++)
        for (x = 0; x < side; x++)
            ((DWORD *)((char *)bits + (int)y * pitch))[x] = color;
}

/* The larger of SetLOD's level and D3DSAMP_MAXMIPLEVEL's, which counts only between levels; of a
 * magnified texture no other is sampled. */
static void level_of_detail(void)
{
    IDirect3DTexture9 *t = NULL;
    D3DLOCKED_RECT locked;
    DWORD lod, most, filter, top, bottom;
    UINT i;
    OK(IDirect3DDevice9_CreateTexture(device, BIG, BIG, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &t, NULL));
    for (i = 0; i < LEVELS; i++) {
        OK(IDirect3DTexture9_LockRect(t, i, &locked, NULL, 0));
        fill(locked.pBits, locked.Pitch, BIG >> i, (i + 1) * 0x202020);
        OK(IDirect3DTexture9_UnlockRect(t, i));
    }
    for (filter = D3DTEXF_NONE; filter <= D3DTEXF_LINEAR; filter++)
        for (lod = 0; lod <= LEVELS; lod++)
            for (most = 0; most <= LEVELS + 1; most++) {
                DWORD level = filter == D3DTEXF_NONE || most < lod ? lod : most;
                if (level > LEVELS - 1)
                    level = LEVELS - 1;
                IDirect3DTexture9_SetLOD(t, lod);
                OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, filter));
                OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, most));
                draw(t, &top, &bottom);
                CHECK(close_to(top, (level + 1) * 0x202020, 1), "filter %u, LOD %u, MAXMIPLEVEL %u: %06x", (unsigned)filter,
                      (unsigned)lod, (unsigned)most, (unsigned)top);
            }
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_NONE));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 0));
    IDirect3DTexture9_Release(t);
}

/* UpdateSurface between any two levels: texels go where they fit, blocks of 4 x 4 where they are whole,
 * or all there is of them at both ends. */
static void updates(D3DFORMAT format)
{
    const int blocks = format == D3DFMT_DXT1 || format == D3DFMT_DXT5;
    IDirect3DTexture9 *s = NULL, *d = NULL;
    IDirect3DSurface9 *from, *to;
    UINT i, j;
    OK(IDirect3DDevice9_CreateTexture(device, BIG, BIG, 0, 0, format, D3DPOOL_SYSTEMMEM, &s, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, BIG, BIG, 0, 0, format, D3DPOOL_DEFAULT, &d, NULL));
    for (i = 0; i < LEVELS; i++)
        for (j = 0; j < LEVELS; j++) {
            const int a = BIG >> i, b = BIG >> j;
            const RECT all = { 0, 0, a, a }, block = { 0, 0, 4, 4 }, corner = { 0, 0, 1, 1 }, out = { 0, 0, a + 1, a };
            const POINT middle = { 4, 4 };
            const HRESULT whole = a <= b && (!blocks || a % 4 == 0 || i == j) ? D3D_OK : D3DERR_INVALIDCALL;
            OK(IDirect3DTexture9_GetSurfaceLevel(s, i, &from));
            OK(IDirect3DTexture9_GetSurfaceLevel(d, j, &to));
            HR(whole, IDirect3DDevice9_UpdateSurface(device, from, NULL, to, NULL));
            HR(whole, IDirect3DDevice9_UpdateSurface(device, from, &all, to, NULL));
            INVALID(IDirect3DDevice9_UpdateSurface(device, from, &out, to, NULL));
            HR(a >= 4 && b >= 4 ? D3D_OK : D3DERR_INVALIDCALL, IDirect3DDevice9_UpdateSurface(device, from, &block, to, NULL));
            HR(a >= 4 && b >= 8 ? D3D_OK : D3DERR_INVALIDCALL, IDirect3DDevice9_UpdateSurface(device, from, &block, to, &middle));
            HR(!blocks || (a == 1 && b == 1) ? D3D_OK : D3DERR_INVALIDCALL,
               IDirect3DDevice9_UpdateSurface(device, from, &corner, to, NULL));
            IDirect3DSurface9_Release(from);
            IDirect3DSurface9_Release(to);
        }
    IDirect3DTexture9_Release(s);
    IDirect3DTexture9_Release(d);
}

/* Each face has its own dirty regions. */
static void faces(void)
{
    IDirect3DCubeTexture9 *s = NULL, *d = NULL;
    IDirect3DSurface9 *seen[6], *face;
    D3DLOCKED_RECT locked;
    RECT first = { 0, 0, 4, 4 };
    UINT i, round;
    OK(IDirect3DDevice9_CreateCubeTexture(device, SIDE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &s, NULL));
    OK(IDirect3DDevice9_CreateCubeTexture(device, SIDE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &d, NULL));
    for (i = 0; i < 6; i++)
        OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A8R8G8B8, 0, 0, FALSE, &seen[i], NULL));
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 6; i++) {
            OK(IDirect3DCubeTexture9_LockRect(s, i, 0, &locked, NULL, round ? D3DLOCK_NO_DIRTY_UPDATE : 0));
            fill(locked.pBits, locked.Pitch, SIDE, 0xFF000000 | (round + 1) * 0x400000 | i * 0x1000);
            OK(IDirect3DCubeTexture9_UnlockRect(s, i, 0));
        }
        if (round == 1)
            OK(IDirect3DCubeTexture9_AddDirtyRect(s, 3, &first));
        if (round == 2) {
            OK(IDirect3DCubeTexture9_LockRect(s, 5, 0, &locked, &first, 0));
            OK(IDirect3DCubeTexture9_UnlockRect(s, 5, 0));
        }
        OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)s, (IDirect3DBaseTexture9 *)d));
        for (i = 0; i < 6; i++) {
            const DWORD old = 0xFF400000 | i * 0x1000;
            DWORD near_color = old, got;
            if (i == 3 && round >= 1)
                near_color = 0xFF800000 | i * 0x1000;
            if (i == 5 && round == 2)
                near_color = 0xFFC00000 | i * 0x1000;
            OK(IDirect3DCubeTexture9_GetCubeMapSurface(d, i, 0, &face));
            OK(IDirect3DDevice9_StretchRect(device, face, NULL, seen[i], NULL, D3DTEXF_NONE));
            IDirect3DSurface9_Release(face);
            got = surface_pixel(device, seen[i], 1, 1);
            CHECK(got == near_color, "round %u, face %u: %08x, not %08x", round, i, (unsigned)got, (unsigned)near_color);
            got = surface_pixel(device, seen[i], 6, 6);
            CHECK(got == old, "round %u, far on face %u: %08x, not %08x", round, i, (unsigned)got, (unsigned)old);
        }
    }
    for (i = 0; i < 6; i++)
        IDirect3DSurface9_Release(seen[i]);
    IDirect3DCubeTexture9_Release(s);
    IDirect3DCubeTexture9_Release(d);
}

/* Boxes that are dirty go to the slices they are in. The quad shows the first slice of two. */
static void boxes(void)
{
    static const struct {
        D3DBOX box;
        DWORD top, bottom; /* which of the colours below are seen then */
    } rounds[] = { { { 0, 0, 8, 8, 0, 2 }, 0, 0 }, { { 0, 0, 4, 4, 0, 1 }, 1, 0 }, { { 0, 0, 8, 8, 1, 2 }, 1, 0 }, { { 4, 4, 8, 8, 0, 2 }, 1, 3 } };
    static const DWORD colors[] = { 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00 };
    IDirect3DVolumeTexture9 *s = NULL, *d = NULL;
    D3DLOCKED_BOX locked;
    DWORD top, bottom;
    UINT i, z;
    OK(IDirect3DDevice9_CreateVolumeTexture(device, SIDE, SIDE, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &s, NULL));
    OK(IDirect3DDevice9_CreateVolumeTexture(device, SIDE, SIDE, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &d, NULL));
    for (i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        OK(IDirect3DVolumeTexture9_LockBox(s, 0, &locked, NULL, D3DLOCK_NO_DIRTY_UPDATE));
        for (z = 0; z < 2; z++)
            fill((char *)locked.pBits + z * locked.SlicePitch, locked.RowPitch, SIDE, 0xFF000000 | colors[i]);
        OK(IDirect3DVolumeTexture9_UnlockBox(s, 0));
        OK(IDirect3DVolumeTexture9_AddDirtyBox(s, &rounds[i].box));
        OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)s, (IDirect3DBaseTexture9 *)d));
        draw(d, &top, &bottom);
        CHECK(top == colors[rounds[i].top] && bottom == colors[rounds[i].bottom], "round %u: %06x %06x", i, (unsigned)top, (unsigned)bottom);
    }
    IDirect3DVolumeTexture9_Release(s);
    IDirect3DVolumeTexture9_Release(d);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSW, D3DTADDRESS_CLAMP));
    level_of_detail();
    updates(D3DFMT_A8R8G8B8);
    updates(D3DFMT_R5G6B5);
    updates(D3DFMT_DXT1);
    updates(D3DFMT_DXT5);
    faces();
    boxes();
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device stays");
    IDirect3D9_Release(d3d);
    return finish("levels");
}
