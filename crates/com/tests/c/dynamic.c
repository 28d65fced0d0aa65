/* Buffers and textures that change between the draws of one frame, and what the flags of locks promise. */
#include "visual.h"

enum { ACROSS = 32, CELLS = ACROSS * ACROSS };

typedef struct {
    float x, y, z, w;
    DWORD color;
} Vertex;

/* A cell of 2 by 2 pixels as two triangles. */
static void put(Vertex *v, int cell, DWORD color)
{
    static const float corner[6][2] = { { 0, 0 }, { 2, 0 }, { 0, 2 }, { 2, 0 }, { 2, 2 }, { 0, 2 } };
    int i;
    for (i = 0; i < 6; i++) {
        v[i].x = cell % ACROSS * 2 - 0.5f + corner[i][0];
        v[i].y = cell / ACROSS * 2 - 0.5f + corner[i][1];
        v[i].z = 0.5f;
        v[i].w = 1;
        v[i].color = color;
    }
}

static DWORD color_of(int cell)
{
    return 0xFF000000 | (cell * 7919 & 0xFFFFFF);
}

/* How many of the first cells have not their own colour. */
static int wrong_cells(int cells)
{
    IDirect3DSurface9 *target = NULL, *copy = NULL;
    D3DLOCKED_RECT locked;
    int i, wrong = 0;
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY));
    for (i = 0; i < cells; i++)
        wrong += ((DWORD *)((char *)locked.pBits + (i / ACROSS * 2 + 1) * locked.Pitch))[i % ACROSS * 2 + 1] != color_of(i);
    OK(IDirect3DSurface9_UnlockRect(copy));
    IDirect3DSurface9_Release(copy);
    IDirect3DSurface9_Release(target);
    return wrong;
}

static const DWORD usages[] = { 0, D3DUSAGE_DYNAMIC, D3DUSAGE_WRITEONLY, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY };

/* A thousand times the same vertices, each drawn before they are written again. */
static void rewritten_vertices(void)
{
    static const struct { D3DPOOL pool; unsigned usages; } pools[] = {
        { D3DPOOL_DEFAULT, 4 }, { D3DPOOL_SYSTEMMEM, 1 }, { D3DPOOL_MANAGED, 1 },
    };
    static const DWORD flags[] = { 0, D3DLOCK_DISCARD, D3DLOCK_NOSYSLOCK };
    unsigned p, u, f;
    int i;
    for (p = 0; p < 3; p++)
        for (u = 0; u < pools[p].usages; u++)
            for (f = 0; f < 3; f++) {
                IDirect3DVertexBuffer9 *buffer = NULL;
                OK(IDirect3DDevice9_CreateVertexBuffer(device, 6 * sizeof(Vertex), usages[u], 0, pools[p].pool, &buffer, NULL));
                OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(Vertex)));
                OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
                clear_target(0);
                OK(IDirect3DDevice9_BeginScene(device));
                for (i = 0; i < CELLS; i++) {
                    Vertex *v = NULL;
                    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&v, flags[f]));
                    put(v, i, color_of(i));
                    OK(IDirect3DVertexBuffer9_Unlock(buffer));
                    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 2));
                }
                OK(IDirect3DDevice9_EndScene(device));
                i = wrong_cells(CELLS);
                CHECK(i == 0, "pool %u usage %#x flags %#x: %d cells are wrong", pools[p].pool, (unsigned)usages[u],
                      (unsigned)flags[f], i);
                OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
                IDirect3DVertexBuffer9_Release(buffer);
            }
}

/* A ring: each draw's vertices lie behind the last one's, and the buffer is discarded when full. */
static void ring(void)
{
    enum { ROOM = 100 };
    IDirect3DVertexBuffer9 *buffer = NULL;
    IDirect3DIndexBuffer9 *indices = NULL;
    int i, at = 0, k;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, ROOM * 6 * sizeof(Vertex), D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                           D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, ROOM * 6 * 2, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                          D3DPOOL_DEFAULT, &indices, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(Vertex)));
    OK(IDirect3DDevice9_SetIndices(device, indices));
    clear_target(0);
    OK(IDirect3DDevice9_BeginScene(device));
    for (i = 0; i < CELLS; i++) {
        Vertex *v = NULL;
        WORD *index = NULL;
        DWORD flags = at == 0 ? D3DLOCK_DISCARD : D3DLOCK_NOOVERWRITE;
        OK(IDirect3DVertexBuffer9_Lock(buffer, at * 6 * sizeof(Vertex), 6 * sizeof(Vertex), (void **)&v, flags));
        put(v, i, color_of(i));
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DIndexBuffer9_Lock(indices, at * 12, 12, (void **)&index, flags));
        for (k = 0; k < 6; k++)
            index[k] = i & 1 ? at * 6 + k : k;
        OK(IDirect3DIndexBuffer9_Unlock(indices));
        OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, i & 1 ? 0 : at * 6, i & 1 ? at * 6 : 0, 6, at * 6, 2));
        at = (at + 1) % ROOM;
    }
    OK(IDirect3DDevice9_EndScene(device));
    i = wrong_cells(CELLS);
    CHECK(i == 0, "%d cells of a ring are wrong", i);
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_SetIndices(device, NULL));
    IDirect3DVertexBuffer9_Release(buffer);
    IDirect3DIndexBuffer9_Release(indices);
}

static void rewritten_textures(void)
{
    static const DWORD flags[] = { 0, D3DLOCK_DISCARD };
    IDirect3DTexture9 *texture = NULL;
    unsigned f;
    int i, k;
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    for (f = 0; f < 2; f++) {
        clear_target(0);
        OK(IDirect3DDevice9_BeginScene(device));
        for (i = 0; i < 256; i++) {
            struct { Vertex v; float s, t; } quad[6];
            Vertex cell[6];
            D3DLOCKED_RECT locked;
            OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, flags[f]));
            for (k = 0; k < 16; k++)
                ((DWORD *)((char *)locked.pBits + k / 4 * locked.Pitch))[k % 4] = color_of(i);
            OK(IDirect3DTexture9_UnlockRect(texture, 0));
            put(cell, i, 0);
            memset(quad, 0, sizeof quad);
            for (k = 0; k < 6; k++)
                quad[k].v = cell[k];
            OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 2, quad, sizeof *quad));
        }
        OK(IDirect3DDevice9_EndScene(device));
        i = wrong_cells(256);
        CHECK(i == 0, "flags %#x: %d cells are wrong", (unsigned)flags[f], i);
    }
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATE));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(texture);
}

/* Whoever writes under D3DLOCK_NOOVERWRITE what a draw reads breaks a promise: the memory is the GPU's
 * and the program's at once. Only dynamic buffers of the default pool know the flag. */
static void broken_promises(void)
{
    static const struct { DWORD usage; D3DPOOL pool; DWORD flags; int shared; } table[] = {
        { D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT, 0, 0 },
        { D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT, D3DLOCK_DISCARD, 0 },
        { D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT, D3DLOCK_NOOVERWRITE, 1 },
        { D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT, D3DLOCK_NOOVERWRITE | D3DLOCK_DISCARD, 1 },
        { 0, D3DPOOL_DEFAULT, D3DLOCK_NOOVERWRITE, 0 },
        { 0, D3DPOOL_SYSTEMMEM, D3DLOCK_NOOVERWRITE, 0 },
    };
    enum { LAYERS = 64 };
    unsigned i;
    int k;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        IDirect3DVertexBuffer9 *buffer = NULL;
        Vertex *v = NULL;
        OK(IDirect3DDevice9_CreateVertexBuffer(device, LAYERS * 6 * sizeof(Vertex), table[i].usage, 0, table[i].pool, &buffer, NULL));
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&v, 0));
        for (k = 0; k < LAYERS; k++)
            put(v + 6 * k, 0, 0xFFFF0000);
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(Vertex)));
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
        clear_target(0);
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 6, 2 * LAYERS - 2));
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&v, table[i].flags));
        for (k = 0; k < LAYERS; k++)
            put(v + 6 * k, 0, 0xFF00FF00);
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DDevice9_EndScene(device));
        if (!table[i].shared)
            EXPECT_AT(device, 1, 1, 0xFF0000, "vertices under a lock that waits");
        else
            OURS(EXPECT_AT(device, 1, 1, 0x00FF00, "vertices under a lock that does not"));
        OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
        IDirect3DVertexBuffer9_Release(buffer);
    }
}

int main(void)
{
    start();
    rewritten_vertices();
    ring();
    rewritten_textures();
    broken_promises();
    return stop("dynamic");
}
