/* Copies between surfaces and textures: what each takes, what arrives, and dirty regions. */
#include "common.h"

enum { SIDE = 8 };

static const DWORD RED = 0xFFFF0000, GREEN = 0xFF00FF00, BLUE = 0xFF0000FF;

static IDirect3DDevice9 *device;
static IDirect3DSurface9 *view, *seen; /* what draws go to, and its copy in memory */

static IDirect3DSurface9 *target(UINT side, D3DFORMAT format, BOOL lockable)
{
    IDirect3DSurface9 *s = NULL;
    OK(IDirect3DDevice9_CreateRenderTarget(device, side, side, format, 0, 0, lockable, &s, NULL));
    return s;
}

static IDirect3DSurface9 *plain(UINT side, D3DFORMAT format, D3DPOOL pool)
{
    IDirect3DSurface9 *s = NULL;
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, side, side, format, pool, &s, NULL));
    return s;
}

static IDirect3DTexture9 *texture(UINT side, UINT levels, DWORD usage, D3DPOOL pool)
{
    IDirect3DTexture9 *t = NULL;
    OK(IDirect3DDevice9_CreateTexture(device, side, side, levels, usage, D3DFMT_A8R8G8B8, pool, &t, NULL));
    return t;
}

static IDirect3DSurface9 *level(IDirect3DTexture9 *t, UINT n)
{
    IDirect3DSurface9 *s = NULL;
    OK(IDirect3DTexture9_GetSurfaceLevel(t, n, &s));
    return s;
}

/* Writes a rectangle of a level, all of it for NULL. */
static void paint(IDirect3DTexture9 *t, UINT n, const RECT *rect, DWORD flags, DWORD color)
{
    D3DLOCKED_RECT locked;
    D3DSURFACE_DESC desc;
    UINT x, y, w, h;
    OK(IDirect3DTexture9_GetLevelDesc(t, n, &desc));
    w = rect ? (UINT)(rect->right - rect->left) : desc.Width;
    h = rect ? (UINT)(rect->bottom - rect->top) : desc.Height;
    OK(IDirect3DTexture9_LockRect(t, n, &locked, rect, flags));
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++)
            ((DWORD *)((char *)locked.pBits + y * locked.Pitch))[x] = color;
    OK(IDirect3DTexture9_UnlockRect(t, n));
}

static char letter(DWORD color)
{
    return color == RED ? 'r' : color == GREEN ? 'g' : color == BLUE ? 'b' : (color & 0xFFFFFF) ? '?' : '.';
}

/* Rows 1 and 6 of a surface of 8 x 8 pixels, a letter each. */
static void look(IDirect3DSurface9 *surface, const char *what, const char *top, const char *bottom)
{
    char rows[2][SIDE + 1] = { { 0 } };
    D3DLOCKED_RECT locked;
    int i, x;
    OK(IDirect3DDevice9_GetRenderTargetData(device, surface, seen));
    OK(IDirect3DSurface9_LockRect(seen, &locked, NULL, D3DLOCK_READONLY));
    for (i = 0; i < 2; i++)
        for (x = 0; x < SIDE; x++)
            rows[i][x] = letter(((DWORD *)((char *)locked.pBits + (i ? 6 : 1) * locked.Pitch))[x]);
    OK(IDirect3DSurface9_UnlockRect(seen));
    CHECK(!strcmp(rows[0], top) && !strcmp(rows[1], bottom), "%s: %s %s, not %s %s", what, rows[0], rows[1], top, bottom);
}

/* Draws a texture texel by pixel. */
static void show(void *t, const char *what, const char *top, const char *bottom)
{
    static const struct {
        float x, y, z, w, u, v;
    } quad[] = { { -0.5f, -0.5f, 0, 1, 0, 0 }, { 7.5f, -0.5f, 0, 1, 1, 0 }, { -0.5f, 7.5f, 0, 1, 0, 1 }, { 7.5f, 7.5f, 0, 1, 1, 1 } };
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, view));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)t));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF123456, 0, 0));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof *quad));
    OK(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    look(view, what, top, bottom);
}

static HRESULT stretch(IDirect3DSurface9 *a, IDirect3DSurface9 *b)
{
    return IDirect3DDevice9_StretchRect(device, a, NULL, b, NULL, D3DTEXF_NONE);
}

static void stretch_kinds(void)
{
    IDirect3DTexture9 *tex = texture(SIDE, 1, 0, D3DPOOL_DEFAULT), *dynamic = texture(SIDE, 1, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT),
                      *managed = texture(SIDE, 1, 0, D3DPOOL_MANAGED), *drawn = texture(2 * SIDE, 2, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT);
    IDirect3DSurface9 *t = level(tex, 0), *y = level(dynamic, 0), *m = level(managed, 0), *d = level(drawn, 1),
                      *r = target(SIDE, D3DFMT_A8R8G8B8, FALSE), *x = target(SIDE, D3DFMT_X8R8G8B8, FALSE),
                      *big = target(2 * SIDE, D3DFMT_A8R8G8B8, FALSE), *p = plain(SIDE, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT),
                      *q = plain(SIDE, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT), *system = plain(SIDE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM),
                      *large = plain(2 * SIDE, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT), *z = NULL;
    RECT part = { 0, 0, 4, 4 }, other = { 2, 2, 6, 6 }, out = { 0, 0, 9, 8 }, inverted = { 4, 4, 0, 0 }, empty = { 0, 0, 0, 0 };
    D3DLOCKED_RECT locked;

    /* Everything in the default pool to targets and levels of them, scaled or not. */
    OK(stretch(t, r));
    OK(stretch(y, r));
    OK(stretch(p, r));
    OK(stretch(r, x));
    OK(stretch(r, d));
    OK(stretch(d, r));
    OK(stretch(big, r));
    OK(stretch(t, big));
    OK(stretch(p, q));
    OK(IDirect3DDevice9_StretchRect(device, r, &part, x, &other, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_StretchRect(device, r, &part, x, NULL, D3DTEXF_POINT));
    /* No texture that is no target, no other pool. */
    INVALID(stretch(r, t));
    INVALID(stretch(t, y));
    INVALID(stretch(r, y));
    INVALID(stretch(p, t));
    INVALID(stretch(r, m));
    INVALID(stretch(m, r));
    INVALID(stretch(system, r));
    INVALID(stretch(r, system));
    /* Offscreen plain surfaces take their kind, unscaled. Others are more generous than Windows. */
    OURS(INVALID(stretch(r, p)));
    OURS(INVALID(stretch(t, p)));
    OURS(INVALID(stretch(p, large)));
    /* Within one surface. */
    OK(IDirect3DDevice9_StretchRect(device, r, &part, r, &other, D3DTEXF_NONE));
    OURS(INVALID(IDirect3DDevice9_StretchRect(device, r, &part, r, NULL, D3DTEXF_NONE)));
    /* Rectangles and filters. */
    INVALID(IDirect3DDevice9_StretchRect(device, r, &out, x, NULL, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_StretchRect(device, r, NULL, x, &out, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_StretchRect(device, r, &inverted, x, NULL, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_StretchRect(device, r, NULL, x, &inverted, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_StretchRect(device, r, &empty, x, NULL, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_StretchRect(device, r, NULL, x, NULL, D3DTEXF_ANISOTROPIC));
    OK(IDirect3DSurface9_LockRect(p, &locked, NULL, 0));
    OURS(INVALID(stretch(p, r)));
    OURS(INVALID(stretch(q, p)));
    OK(IDirect3DSurface9_UnlockRect(p));
    /* Depth and colour do not mix. */
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, D3DFMT_D24S8, 0, 0, FALSE, &z, NULL));
    INVALID(stretch(z, r));
    INVALID(stretch(r, z));
    {
        IDirect3DSurface9 *all[] = { t, y, m, d, r, x, big, p, q, system, large, z };
        IDirect3DTexture9 *owners[] = { tex, dynamic, managed, drawn };
        unsigned i;
        for (i = 0; i < sizeof all / sizeof *all; i++)
            IDirect3DSurface9_Release(all[i]);
        for (i = 0; i < sizeof owners / sizeof *owners; i++)
            IDirect3DTexture9_Release(owners[i]);
    }
}

static void stretch_pixels(void)
{
    IDirect3DSurface9 *a = target(SIDE, D3DFMT_A8R8G8B8, FALSE), *b = target(SIDE, D3DFMT_A8R8G8B8, FALSE),
                      *x = target(SIDE, D3DFMT_X8R8G8B8, FALSE), *narrow = target(SIDE, D3DFMT_R5G6B5, FALSE);
    RECT left = { 0, 0, 4, 8 }, right = { 4, 0, 8, 8 }, corner = { 2, 0, 4, 2 }, shifted = { 1, 0, 5, 8 };
    OK(IDirect3DDevice9_ColorFill(device, a, &left, RED));
    OK(IDirect3DDevice9_ColorFill(device, a, &right, GREEN));
    look(a, "filled", "rrrrgggg", "rrrrgggg");
    OK(IDirect3DDevice9_ColorFill(device, b, NULL, BLUE));
    OK(IDirect3DDevice9_StretchRect(device, a, &left, b, &right, D3DTEXF_NONE));
    look(b, "left to right", "bbbbrrrr", "bbbbrrrr");
    OK(IDirect3DDevice9_StretchRect(device, a, NULL, b, &left, D3DTEXF_POINT));
    look(b, "narrowed", "rrggrrrr", "rrggrrrr");
    OK(IDirect3DDevice9_StretchRect(device, a, &corner, b, NULL, D3DTEXF_POINT));
    look(b, "one colour over all", "rrrrrrrr", "rrrrrrrr");
    /* Overlapping parts of one surface. */
    OK(IDirect3DDevice9_StretchRect(device, a, &left, a, &shifted, D3DTEXF_NONE));
    look(a, "moved by one", "rrrrrggg", "rrrrrggg");
    /* Through formats: what has no alpha gives 1. */
    OK(IDirect3DDevice9_ColorFill(device, a, NULL, 0x00FF0000));
    OK(stretch(a, x));
    OK(stretch(x, b));
    look(b, "alpha of X8R8G8B8", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DDevice9_ColorFill(device, b, NULL, BLUE));
    OK(stretch(a, narrow));
    OK(stretch(narrow, b));
    look(b, "through R5G6B5", "rrrrrrrr", "rrrrrrrr");
    IDirect3DSurface9_Release(a);
    IDirect3DSurface9_Release(b);
    IDirect3DSurface9_Release(x);
    IDirect3DSurface9_Release(narrow);
}

static void depth_copies(void)
{
    IDirect3DSurface9 *a = NULL, *b = NULL, *old = NULL;
    RECT part = { 0, 0, 4, 4 };
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &old));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, D3DFMT_D24S8, 0, 0, FALSE, &a, NULL));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, D3DFMT_D24S8, 0, 0, FALSE, &b, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, view));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, b));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, a));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.25f, 0));
    INVALID(IDirect3DDevice9_StretchRect(device, a, &part, b, &part, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_StretchRect(device, a, NULL, b, &part, D3DTEXF_NONE));
    OK(IDirect3DDevice9_BeginScene(device));
    INVALID(stretch(a, b));
    OK(IDirect3DDevice9_EndScene(device));
    OK(stretch(a, b));
    /* What lies behind 0.25 does not show. */
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, b));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, TRUE));
    {
        static const struct {
            float x, y, z, w;
            DWORD color;
        } quad[] = { { 0, 0, 0.5f, 1, 0xFF00FF00 }, { 8, 0, 0.5f, 1, 0xFF00FF00 }, { 0, 8, 0.5f, 1, 0xFF00FF00 }, { 8, 8, 0.5f, 1, 0xFF00FF00 } };
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, RED, 0, 0));
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof *quad));
        OK(IDirect3DDevice9_EndScene(device));
    }
    look(view, "behind copied depth", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, old));
    IDirect3DSurface9_Release(old);
    IDirect3DSurface9_Release(a);
    IDirect3DSurface9_Release(b);
}

static void fills(void)
{
    static const D3DPOOL pools[] = { D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH };
    IDirect3DTexture9 *drawn = texture(2 * SIDE, 2, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT), *tex = texture(SIDE, 1, 0, D3DPOOL_DEFAULT),
                      *dynamic = texture(SIDE, 1, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT), *managed = texture(SIDE, 1, 0, D3DPOOL_MANAGED);
    IDirect3DTexture9 *refused[] = { tex, dynamic, managed };
    IDirect3DSurface9 *s;
    D3DLOCKED_RECT locked;
    RECT part = { 2, 0, 6, 4 }, out = { 0, 0, 9, 8 };
    unsigned i;
    for (i = 0; i < 2; i++) {
        s = plain(SIDE, D3DFMT_A8R8G8B8, pools[i]);
        INVALID(IDirect3DDevice9_ColorFill(device, s, NULL, RED));
        IDirect3DSurface9_Release(s);
    }
    for (i = 0; i < 3; i++) {
        s = level(refused[i], 0);
        INVALID(IDirect3DDevice9_ColorFill(device, s, NULL, RED));
        IDirect3DSurface9_Release(s);
        IDirect3DTexture9_Release(refused[i]);
    }
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &s));
    INVALID(IDirect3DDevice9_ColorFill(device, s, NULL, RED));
    IDirect3DSurface9_Release(s);
    s = level(drawn, 1);
    OK(IDirect3DDevice9_ColorFill(device, s, NULL, GREEN));
    OK(IDirect3DDevice9_ColorFill(device, s, &part, RED));
    look(s, "a part", "ggrrrrgg", "gggggggg");
    OURS(INVALID(IDirect3DDevice9_ColorFill(device, s, &out, BLUE)));
    IDirect3DSurface9_Release(s);
    IDirect3DTexture9_Release(drawn);
    s = plain(SIDE, D3DFMT_L8, D3DPOOL_DEFAULT);
    OK(IDirect3DDevice9_ColorFill(device, s, NULL, 0xFF808080));
    OK(IDirect3DDevice9_ColorFill(device, s, &part, 0xFF404040));
    OK(IDirect3DSurface9_LockRect(s, &locked, NULL, 0));
    CHECK(((BYTE *)locked.pBits)[1] == 0x80 && ((BYTE *)locked.pBits)[2] == 0x40, "L8 is %02x %02x", ((BYTE *)locked.pBits)[1],
          ((BYTE *)locked.pBits)[2]);
    OK(IDirect3DDevice9_ColorFill(device, s, NULL, RED)); /* nobody looks at locks here */
    OK(IDirect3DSurface9_UnlockRect(s));
    IDirect3DSurface9_Release(s);
}

static void updates_of_surfaces(void)
{
    IDirect3DTexture9 *m = texture(SIDE, 1, 0, D3DPOOL_SYSTEMMEM), *d = texture(SIDE, 1, 0, D3DPOOL_DEFAULT);
    IDirect3DSurface9 *from = level(m, 0), *to = level(d, 0), *dxt_from = plain(16, D3DFMT_DXT1, D3DPOOL_SYSTEMMEM),
                      *dxt_to = plain(16, D3DFMT_DXT1, D3DPOOL_DEFAULT), *other = plain(SIDE, D3DFMT_R5G6B5, D3DPOOL_DEFAULT),
                      *small = plain(4, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
    RECT part = { 0, 0, 4, 4 }, block = { 4, 4, 8, 12 }, cut = { 2, 0, 6, 4 }, out = { 0, 0, 9, 8 };
    POINT at = { 4, 4 }, edge = { 5, 4 }, crooked = { 2, 0 };
    D3DLOCKED_RECT locked;
    paint(m, 0, NULL, 0, RED);
    OK(IDirect3DDevice9_UpdateSurface(device, from, NULL, to, NULL));
    show(d, "whole", "rrrrrrrr", "rrrrrrrr");
    paint(m, 0, NULL, 0, GREEN);
    OK(IDirect3DDevice9_UpdateSurface(device, from, &part, to, &at));
    show(d, "a part at 4, 4", "rrrrrrrr", "rrrrgggg");
    OK(IDirect3DDevice9_UpdateSurface(device, from, &part, to, NULL));
    show(d, "a part at 0, 0", "ggggrrrr", "rrrrgggg");
    INVALID(IDirect3DDevice9_UpdateSurface(device, from, &part, to, &edge));
    INVALID(IDirect3DDevice9_UpdateSurface(device, from, &out, to, NULL));
    INVALID(IDirect3DDevice9_UpdateSurface(device, from, NULL, small, NULL));
    INVALID(IDirect3DDevice9_UpdateSurface(device, from, NULL, other, NULL));
    OK(IDirect3DDevice9_UpdateSurface(device, dxt_from, &block, dxt_to, &at));
    INVALID(IDirect3DDevice9_UpdateSurface(device, dxt_from, &cut, dxt_to, NULL));
    INVALID(IDirect3DDevice9_UpdateSurface(device, dxt_from, &block, dxt_to, &crooked));
    /* From system memory to the default pool only. Others are more generous. */
    OURS(INVALID(IDirect3DDevice9_UpdateSurface(device, to, NULL, from, NULL)));
    OURS(INVALID(IDirect3DDevice9_UpdateSurface(device, view, NULL, to, NULL)));
    OK(IDirect3DSurface9_LockRect(from, &locked, NULL, 0));
    INVALID(IDirect3DDevice9_UpdateSurface(device, from, NULL, to, NULL));
    OK(IDirect3DSurface9_UnlockRect(from));
    {
        IDirect3DSurface9 *all[] = { from, to, dxt_from, dxt_to, other, small };
        unsigned i;
        for (i = 0; i < 6; i++)
            IDirect3DSurface9_Release(all[i]);
    }
    IDirect3DTexture9_Release(m);
    IDirect3DTexture9_Release(d);
}

static HRESULT update(void *from, void *to)
{
    return IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)from, (IDirect3DBaseTexture9 *)to);
}

/* Sizes and levels that fit: the source may be larger by whole levels, and have more or fewer. */
static void updates_that_fit(void)
{
    static const struct {
        UINT from, from_levels, to, to_levels;
        HRESULT expected;
    } cases[] = {
        { 8, 1, 8, 1, D3D_OK },  { 8, 0, 8, 0, D3D_OK },  { 8, 0, 8, 1, D3D_OK },  { 8, 3, 8, 2, D3D_OK },
        { 16, 0, 8, 0, D3D_OK }, { 32, 0, 8, 1, D3D_OK }, { 8, 1, 8, 0, D3D_OK },  { 33, 0, 16, 0, D3D_OK },
        { 8, 0, 16, 0, D3DERR_INVALIDCALL },              { 12, 0, 8, 1, D3DERR_INVALIDCALL },
    };
    unsigned i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        IDirect3DTexture9 *a = texture(cases[i].from, cases[i].from_levels, 0, D3DPOOL_SYSTEMMEM),
                          *b = texture(cases[i].to, cases[i].to_levels, 0, D3DPOOL_DEFAULT);
        HRESULT hr = update(a, b);
        CHECK(hr == cases[i].expected, "case %u: %#x", i, (unsigned)hr);
        IDirect3DTexture9_Release(a);
        IDirect3DTexture9_Release(b);
    }
    {
        IDirect3DTexture9 *m = texture(8, 1, 0, D3DPOOL_MANAGED), *s = texture(8, 1, 0, D3DPOOL_SYSTEMMEM),
                          *d = texture(8, 1, 0, D3DPOOL_DEFAULT), *c = texture(8, 1, 0, D3DPOOL_SCRATCH), *f = NULL;
        D3DLOCKED_RECT locked;
        INVALID(update(m, d));
        INVALID(update(c, d));
        INVALID(update(d, s));
        INVALID(update(s, m));
        OURS(INVALID(update(NULL, d)));
        OURS(INVALID(update(s, NULL)));
        OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT, &f, NULL));
        INVALID(update(s, f));
        IDirect3DTexture9_Release(f);
        OK(IDirect3DTexture9_LockRect(s, 0, &locked, NULL, 0));
        OK(update(s, d)); /* nobody looks at locks here */
        OK(IDirect3DTexture9_UnlockRect(s, 0));
        IDirect3DTexture9_Release(m);
        IDirect3DTexture9_Release(s);
        IDirect3DTexture9_Release(d);
        IDirect3DTexture9_Release(c);
    }
    {
        /* The levels of the larger source that have the destination's sizes. */
        IDirect3DTexture9 *s = texture(16, 2, 0, D3DPOOL_SYSTEMMEM), *d = texture(8, 1, 0, D3DPOOL_DEFAULT);
        paint(s, 0, NULL, 0, RED);
        paint(s, 1, NULL, 0, GREEN);
        OK(update(s, d));
        show(d, "the second level", "gggggggg", "gggggggg");
        IDirect3DTexture9_Release(s);
        IDirect3DTexture9_Release(d);
    }
}

static void dirty_regions(void)
{
    IDirect3DTexture9 *m = texture(SIDE, 1, 0, D3DPOOL_MANAGED), *s = texture(SIDE, 1, 0, D3DPOOL_SYSTEMMEM),
                      *d = texture(SIDE, 1, 0, D3DPOOL_DEFAULT), *y = texture(SIDE, 1, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT);
    RECT first = { 0, 0, 4, 4 }, last = { 4, 4, 8, 8 };
    static const RECT bad[] = { { 0, 0, 0, 0 }, { 4, 4, 2, 2 }, { 0, 0, 9, 8 }, { -1, 0, 4, 4 }, { 20, 20, 30, 30 } };
    unsigned i;

    paint(m, 0, NULL, 0, RED);
    show(m, "managed", "rrrrrrrr", "rrrrrrrr");
    paint(m, 0, NULL, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    show(m, "managed, not dirty", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DTexture9_AddDirtyRect(m, &first));
    show(m, "managed, a part dirty", "ggggrrrr", "rrrrrrrr");
    paint(m, 0, &last, 0, BLUE);
    show(m, "managed, a part written", "ggggrrrr", "rrrrbbbb");
    OK(IDirect3DTexture9_AddDirtyRect(m, NULL));
    show(m, "managed, all dirty", "gggggggg", "ggggbbbb");
    paint(m, 0, NULL, D3DLOCK_READONLY, RED);
    show(m, "managed, read only", "gggggggg", "ggggbbbb");
    OK(IDirect3DDevice9_EvictManagedResources(device));
    show(m, "managed, evicted", "rrrrrrrr", "rrrrrrrr");

    paint(s, 0, NULL, 0, RED);
    OK(update(s, d));
    show(d, "updated", "rrrrrrrr", "rrrrrrrr");
    paint(s, 0, NULL, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    OK(update(s, d));
    show(d, "updated, not dirty", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DTexture9_AddDirtyRect(s, &first));
    OK(update(s, d));
    show(d, "updated, a part dirty", "ggggrrrr", "rrrrrrrr");
    paint(s, 0, &last, 0, BLUE);
    OK(update(s, d));
    show(d, "updated, a part written", "ggggrrrr", "rrrrbbbb");
    OK(IDirect3DTexture9_AddDirtyRect(s, NULL));
    OK(update(s, d));
    show(d, "updated, all dirty", "gggggggg", "ggggbbbb");
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        INVALID(IDirect3DTexture9_AddDirtyRect(s, &bad[i]));
        INVALID(IDirect3DTexture9_AddDirtyRect(m, &bad[i]));
    }

    paint(y, 0, NULL, 0, RED);
    show(y, "dynamic", "rrrrrrrr", "rrrrrrrr");
    paint(y, 0, &first, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    show(y, "dynamic, not dirty", "ggggrrrr", "rrrrrrrr");
    paint(y, 0, NULL, D3DLOCK_DISCARD, BLUE);
    show(y, "dynamic, discarded", "bbbbbbbb", "bbbbbbbb");

    paint(s, 0, NULL, 0, RED);
    show(s, "drawn from system memory", "rrrrrrrr", "rrrrrrrr");
    paint(s, 0, &first, D3DLOCK_NO_DIRTY_UPDATE, GREEN);
    show(s, "written since", "ggggrrrr", "rrrrrrrr");
    IDirect3DTexture9_Release(m);
    IDirect3DTexture9_Release(s);
    IDirect3DTexture9_Release(d);
    IDirect3DTexture9_Release(y);
}

/* Level 0 alone has a dirty region; it speaks for the levels below. */
static void dirty_levels(void)
{
    IDirect3DTexture9 *s = texture(2 * SIDE, 2, 0, D3DPOOL_SYSTEMMEM), *d = texture(2 * SIDE, 2, 0, D3DPOOL_DEFAULT);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 1));
    paint(s, 0, NULL, 0, BLUE);
    paint(s, 1, NULL, 0, RED);
    OK(update(s, d));
    show(d, "both levels", "rrrrrrrr", "rrrrrrrr");
    paint(s, 1, NULL, 0, GREEN);
    OK(update(s, d));
    show(d, "level 1 alone", "rrrrrrrr", "rrrrrrrr");
    paint(s, 0, NULL, 0, BLUE);
    OK(update(s, d));
    show(d, "level 0 too", "gggggggg", "gggggggg");
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 0));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_NONE));
    IDirect3DTexture9_Release(s);
    IDirect3DTexture9_Release(d);
}

/* Automatic levels follow level 0 however it is written. */
static void automatic_levels(void)
{
    IDirect3DTexture9 *m = texture(2 * SIDE, 0, D3DUSAGE_AUTOGENMIPMAP, D3DPOOL_MANAGED),
                      *r = texture(2 * SIDE, 0, D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT),
                      *s = texture(2 * SIDE, 1, 0, D3DPOOL_SYSTEMMEM);
    IDirect3DSurface9 *top = level(r, 0), *green = target(2 * SIDE, D3DFMT_A8R8G8B8, FALSE);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 1));
    paint(m, 0, NULL, 0, RED);
    show(m, "after a lock", "rrrrrrrr", "rrrrrrrr");
    paint(m, 0, NULL, 0, GREEN);
    show(m, "after another", "gggggggg", "gggggggg");
    OK(IDirect3DDevice9_ColorFill(device, top, NULL, RED));
    IDirect3DTexture9_GenerateMipSubLevels(r);
    show(r, "after a fill", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DDevice9_ColorFill(device, green, NULL, GREEN));
    OK(stretch(green, top));
    show(r, "after a stretch", "gggggggg", "gggggggg");
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, top));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, BLUE, 0, 0));
    show(r, "after a clear", "bbbbbbbb", "bbbbbbbb");
    paint(s, 0, NULL, 0, RED);
    OK(update(s, r));
    show(r, "after an update", "rrrrrrrr", "rrrrrrrr");
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 0));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_NONE));
    IDirect3DSurface9_Release(top);
    IDirect3DSurface9_Release(green);
    IDirect3DTexture9_Release(m);
    IDirect3DTexture9_Release(r);
    IDirect3DTexture9_Release(s);
}

static void target_data(void)
{
    IDirect3DSurface9 *r = target(SIDE, D3DFMT_A8R8G8B8, FALSE), *x = plain(SIDE, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM),
                      *s = plain(SIDE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM), *big = plain(16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM),
                      *d = plain(SIDE, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT), *many = NULL;
    IDirect3DTexture9 *t = texture(SIDE, 1, 0, D3DPOOL_SYSTEMMEM);
    IDirect3DSurface9 *l = level(t, 0);
    OK(IDirect3DDevice9_ColorFill(device, r, NULL, GREEN));
    OK(IDirect3DDevice9_GetRenderTargetData(device, r, s));
    OK(IDirect3DDevice9_GetRenderTargetData(device, r, l));
    INVALID(IDirect3DDevice9_GetRenderTargetData(device, NULL, s));
    INVALID(IDirect3DDevice9_GetRenderTargetData(device, r, NULL));
    /* One format, one size, system memory. Others are more generous. */
    OURS(INVALID(IDirect3DDevice9_GetRenderTargetData(device, r, x)));
    OURS(INVALID(IDirect3DDevice9_GetRenderTargetData(device, r, big)));
    OURS(INVALID(IDirect3DDevice9_GetRenderTargetData(device, r, d)));
    OURS(INVALID(IDirect3DDevice9_GetRenderTargetData(device, s, s)));
    if (SUCCEEDED(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &many, NULL))) {
        INVALID(IDirect3DDevice9_GetRenderTargetData(device, many, s));
        IDirect3DSurface9_Release(many);
    }
    {
        IDirect3DSurface9 *all[] = { r, x, s, big, d, l };
        unsigned i;
        for (i = 0; i < 6; i++)
            IDirect3DSurface9_Release(all[i]);
    }
    IDirect3DTexture9_Release(t);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DSurface9 *back = NULL;
    device = make_device(d3d);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    view = target(SIDE, D3DFMT_A8R8G8B8, FALSE);
    seen = plain(SIDE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    stretch_kinds();
    stretch_pixels();
    fills();
    updates_of_surfaces();
    updates_that_fit();
    dirty_regions();
    dirty_levels();
    automatic_levels();
    target_data();
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATE));
    depth_copies();
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(view);
    IDirect3DSurface9_Release(seen);
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device stays");
    IDirect3D9_Release(d3d);
    return finish("transfers");
}
