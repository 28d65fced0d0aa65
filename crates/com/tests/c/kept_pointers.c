/* Static buffers are filled once and drawn often. A program may keep the pointer of a lock and write after the
 * unlock: this library keeps memory where it was, and what is drawn is what the memory holds at the draw. */
#include "visual.h"

typedef struct {
    float x, y, z, w;
    DWORD color;
} Vertex;

enum { QUADS = 300 };

/* A quad over the target, as two triangles. */
static void put(Vertex *v, DWORD color)
{
    static const float corner[6][2] = { { 0, 0 }, { EDGE, 0 }, { 0, EDGE }, { EDGE, 0 }, { EDGE, EDGE }, { 0, EDGE } };
    int i;
    for (i = 0; i < 6; i++) {
        v[i].x = corner[i][0] - 0.5f;
        v[i].y = corner[i][1] - 0.5f;
        v[i].z = 0.5f;
        v[i].w = 1;
        v[i].color = color;
    }
}

static IDirect3DVertexBuffer9 *filled(DWORD usage, D3DPOOL pool, Vertex **kept)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    int i;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, QUADS * 6 * sizeof(Vertex), usage, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, pool,
                                           &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)kept, 0));
    for (i = 0; i < QUADS; i++)
        put(*kept + 6 * i, 0xFF000000 | i);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(Vertex)));
    return buffer;
}

static void draw(int quad, DWORD color, const char *what)
{
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 6 * quad, 2));
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT_AT(device, EDGE / 2, EDGE / 2, color, what);
}

static void written_after_unlock(void)
{
    static const struct { DWORD usage; D3DPOOL pool; } kinds[] = {
        { 0, D3DPOOL_MANAGED }, { D3DUSAGE_WRITEONLY, D3DPOOL_MANAGED }, { 0, D3DPOOL_DEFAULT },
        { D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT }, { 0, D3DPOOL_SYSTEMMEM },
        { D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT },
    };
    unsigned k;
    int i;
    for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        Vertex *kept = NULL, *again = NULL;
        IDirect3DVertexBuffer9 *buffer = filled(kinds[k].usage, kinds[k].pool, &kept);
        for (i = 0; i < 8; i++)
            draw(7, 7, "as filled");
        put(kept + 6 * 8, 0xFF00FF00);
        draw(7, 7, "beside what was written");
        OURS(draw(8, 0x00FF00, "written after the unlock"));
        /* One byte. */
        for (i = 0; i < 6; i++)
            ((BYTE *)&kept[6 * 9 + i].color)[2] = 0x80;
        OURS(draw(9, 0x800009, "one byte written after the unlock"));
        /* While a draw of the old bytes waits to be submitted. */
        clear_target(0);
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 6 * 10, 2));
        put(kept + 6 * 10, 0xFFFF00FF);
        OK(IDirect3DDevice9_EndScene(device));
        OURS(EXPECT_AT(device, EDGE / 2, EDGE / 2, 10, "the draw that came before the write"));
        OURS(draw(10, 0xFF00FF, "and the one after it"));
        /* Locked once more it holds all of it. */
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&again, D3DLOCK_READONLY));
        OURS(CHECK(again == kept && again[6 * 8].color == 0xFF00FF00, "kind %u: the memory moved", k));
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        draw(11, 11, "after a lock for reading");
        OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
        IDirect3DVertexBuffer9_Release(buffer);
    }
}

/* Locked, with nothing written, written before the unlock, and rewritten more often than copies are worth. */
static void changed_often(void)
{
    Vertex *kept = NULL;
    IDirect3DVertexBuffer9 *buffer = filled(0, D3DPOOL_MANAGED, &kept);
    int i;
    for (i = 0; i < 20; i++) {
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 6 * sizeof(Vertex), (void **)&kept, 0));
        put(kept, 0xFF000000 | i * 10);
        OURS(draw(0, i * 10, "locked still"));
        put(kept, 0xFF000000 | (i * 10 + 1));
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        draw(0, i * 10 + 1, "after the unlock");
        draw(0, i * 10 + 1, "once more");
    }
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    IDirect3DVertexBuffer9_Release(buffer);
}

/* The colours are a second stream, the pointer to which is kept; indices too. */
static void other_streams(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        { 0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0 },
        { 1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0 },
        D3DDECL_END(),
    };
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexBuffer9 *shapes, *colors = NULL;
    IDirect3DIndexBuffer9 *indices = NULL;
    Vertex *kept = NULL;
    DWORD *color = NULL;
    WORD *index = NULL;
    int i;
    shapes = filled(0, D3DPOOL_MANAGED, &kept);
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    OK(IDirect3DDevice9_CreateVertexBuffer(device, QUADS * 6 * 4, 0, 0, D3DPOOL_MANAGED, &colors, NULL));
    OK(IDirect3DVertexBuffer9_Lock(colors, 0, 0, (void **)&color, 0));
    for (i = 0; i < QUADS * 6; i++)
        color[i] = 0xFF000000 | i / 6;
    OK(IDirect3DVertexBuffer9_Unlock(colors));
    OK(IDirect3DDevice9_SetStreamSource(device, 1, colors, 0, 4));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, 12, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &indices, NULL));
    OK(IDirect3DIndexBuffer9_Lock(indices, 0, 0, (void **)&index, 0));
    for (i = 0; i < 6; i++)
        index[i] = i;
    OK(IDirect3DIndexBuffer9_Unlock(indices));
    OK(IDirect3DDevice9_SetIndices(device, indices));
    draw(5, 5, "two streams");
    for (i = 0; i < 4; i++) {
        OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 6 * i, 0, 6, 0, 2));
        EXPECT_AT(device, EDGE / 2, EDGE / 2, (DWORD)i, "two streams and indices");
    }
    for (i = 0; i < 6; i++)
        color[6 * 5 + i] = 0xFFFFFF00;
    OURS(draw(5, 0xFFFF00, "the second stream written after the unlock"));
    draw(6, 6, "the first stream is what it was");
    for (i = 0; i < 6; i++)
        index[i] = 6 * 20 + i;
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 6 * 21, 0, 2));
    OURS(EXPECT_AT(device, EDGE / 2, EDGE / 2, 20, "indices written after the unlock"));
    OK(IDirect3DDevice9_SetIndices(device, NULL));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_SetStreamSource(device, 1, NULL, 0, 0));
    IDirect3DVertexDeclaration9_Release(declaration);
    IDirect3DIndexBuffer9_Release(indices);
    IDirect3DVertexBuffer9_Release(shapes);
    IDirect3DVertexBuffer9_Release(colors);
}

/* Locks, writes through kept pointers, unlocks, draws, processed vertices and new buffers in place of old ones, in any
 * order: a draw shows what the memory holds when it is called. */
static unsigned below(unsigned bound)
{
    static unsigned long long state = 0x9E3779B97F4A7C15ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % bound;
}

static void any_order(void)
{
    static const struct { DWORD usage; D3DPOOL pool; } kinds[] = {
        { 0, D3DPOOL_MANAGED }, { 0, D3DPOOL_DEFAULT }, { D3DUSAGE_WRITEONLY, D3DPOOL_MANAGED },
        { D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT },
    };
    static const DWORD flags[] = { 0, 0, 0, 0, D3DLOCK_READONLY, D3DLOCK_NOSYSLOCK, D3DLOCK_NOOVERWRITE };
    enum { BUFFERS = 4 };
    IDirect3DVertexBuffer9 *buffers[BUFFERS];
    Vertex *kept[BUFFERS];
    int step, locks[BUFFERS] = { 0 };
    unsigned b;
    for (b = 0; b < BUFFERS; b++)
        buffers[b] = filled(kinds[b].usage, kinds[b].pool, &kept[b]);
    for (step = 0; step < 1500; step++) {
        unsigned n = below(BUFFERS), quad = below(12), to = below(12);
        Vertex *again = NULL;
        switch (below(12)) {
        case 0:
            OK(IDirect3DVertexBuffer9_Lock(buffers[n], 0, 0, (void **)&again, flags[below(7)]));
            CHECK(again == kept[n], "step %d: the memory moved", step);
            locks[n]++;
            break;
        case 1:
        case 2:
            for (; locks[n]; locks[n]--)
                OK(IDirect3DVertexBuffer9_Unlock(buffers[n]));
            break;
        case 3:
            put(kept[n] + 6 * quad, 0xFF000000 | below(1 << 24));
            break;
        case 4:
            OK(IDirect3DDevice9_SetStreamSource(device, 0, buffers[n], 0, sizeof(Vertex)));
            OK(IDirect3DDevice9_ProcessVertices(device, 6 * quad, 6 * to, 6, buffers[below(BUFFERS)], NULL, 0));
            break;
        case 5:
            if (below(4) == 0) {
                OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
                IDirect3DVertexBuffer9_Release(buffers[n]);
                locks[n] = 0;
                buffers[n] = filled(kinds[quad % 4].usage, kinds[quad % 4].pool, &kept[n]);
            }
            break;
        case 6:
            OK(IDirect3DDevice9_SetStreamSource(device, 0, buffers[n], 6 * sizeof(Vertex), sizeof(Vertex)));
            draw(quad, kept[n][6 * (quad + 1)].color & 0xFFFFFF, "from an offset on");
            break;
        default:
            OK(IDirect3DDevice9_SetStreamSource(device, 0, buffers[n], 0, sizeof(Vertex)));
            draw(quad, kept[n][6 * quad].color & 0xFFFFFF, "in any order");
        }
    }
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    for (b = 0; b < BUFFERS; b++)
        IDirect3DVertexBuffer9_Release(buffers[b]);
}

int main(void)
{
    start();
    written_after_unlock();
    changed_often();
    other_streams();
    OURS(any_order());
    return stop("kept_pointers");
}
