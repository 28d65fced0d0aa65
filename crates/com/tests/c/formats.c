/* Every texture format that is offered shows the colour its bits mean, keeps its bytes from lock to
 * lock, and targets store colours by the nearest code. */
#include "common.h"

#define FOURCC(name) ((D3DFORMAT)MAKEFOURCC((name)[0], (name)[1], (name)[2], (name)[3]))

typedef struct {
    const char *name;
    D3DFORMAT format;
    UINT bytes;              /* of a texel or block */
    UINT across, down;       /* texels of a block */
    BYTE texel[16];
    DWORD argb;              /* what samplers give */
    int volume, everywhere;  /* has volumes; others than this library have it too */
} Format;

/* Values by hand from the bit fields: n of m steps is n * 255 / m. Missing colours are 1 (of A8, 0),
 * missing alpha is 1, luminance is all three colours; signed channels count from 0 to 127. */
static const Format formats[] = {
    { "A8R8G8B8", D3DFMT_A8R8G8B8, 4, 1, 1, { 0x44, 0x33, 0x22, 0x11 }, 0x11223344, 1, 1 },
    { "X8R8G8B8", D3DFMT_X8R8G8B8, 4, 1, 1, { 0x44, 0x33, 0x22, 0x11 }, 0xFF223344, 1, 1 },
    { "A8B8G8R8", D3DFMT_A8B8G8R8, 4, 1, 1, { 0x44, 0x33, 0x22, 0x11 }, 0x11443322, 1, 1 },
    { "X8B8G8R8", D3DFMT_X8B8G8R8, 4, 1, 1, { 0x44, 0x33, 0x22, 0x11 }, 0xFF443322, 1, 1 },
    { "R8G8B8", D3DFMT_R8G8B8, 3, 1, 1, { 0x44, 0x33, 0x22 }, 0xFF223344, 1, 0 },
    /* 16 of 31, 32 of 63, 1 of 31 */
    { "R5G6B5", D3DFMT_R5G6B5, 2, 1, 1, { 0x01, 0x84 }, 0xFF848208, 1, 1 },
    { "X1R5G5B5", D3DFMT_X1R5G5B5, 2, 1, 1, { 0x01, 0x42 }, 0xFF848408, 1, 1 },
    { "A1R5G5B5", D3DFMT_A1R5G5B5, 2, 1, 1, { 0x01, 0x42 }, 0x00848408, 1, 1 },
    { "A4R4G4B4", D3DFMT_A4R4G4B4, 2, 1, 1, { 0x34, 0x12 }, 0x11223344, 1, 1 },
    { "X4R4G4B4", D3DFMT_X4R4G4B4, 2, 1, 1, { 0x34, 0x12 }, 0xFF223344, 1, 1 },
    /* 5 of 7, 2 of 7, 1 of 3 */
    { "R3G3B2", D3DFMT_R3G3B2, 1, 1, 1, { 0xA9 }, 0xFFB64955, 1, 0 },
    { "A8R3G3B2", D3DFMT_A8R3G3B2, 2, 1, 1, { 0xA9, 0x77 }, 0x77B64955, 1, 0 },
    { "A8", D3DFMT_A8, 1, 1, 1, { 0x77 }, 0x77000000, 1, 1 },
    { "L8", D3DFMT_L8, 1, 1, 1, { 0x77 }, 0xFF777777, 1, 1 },
    { "A8L8", D3DFMT_A8L8, 2, 1, 1, { 0x77, 0x33 }, 0x33777777, 1, 1 },
    { "A4L4", D3DFMT_A4L4, 1, 1, 1, { 0x37 }, 0x33777777, 1, 0 },
    { "L16", D3DFMT_L16, 2, 1, 1, { 0x00, 0x80 }, 0xFF808080, 1, 1 },
    /* A 2 of 3; the low ten bits 0x100 of 1023, then 0x200, then 0x3FF */
    { "A2B10G10R10", D3DFMT_A2B10G10R10, 4, 1, 1, { 0x00, 0x01, 0xF8, 0xBF }, 0xAA4080FF, 1, 1 },
    { "A2R10G10B10", D3DFMT_A2R10G10B10, 4, 1, 1, { 0x00, 0x01, 0xF8, 0xBF }, 0xAAFF8040, 1, 1 },
    { "G16R16", D3DFMT_G16R16, 4, 1, 1, { 0x00, 0x40, 0x00, 0x80 }, 0xFF4080FF, 1, 1 },
    { "A16B16G16R16", D3DFMT_A16B16G16R16, 8, 1, 1, { 0, 0x40, 0, 0x80, 0xFF, 0xFF, 0, 0x20 }, 0x204080FF, 1, 1 },
    { "R16F", D3DFMT_R16F, 2, 1, 1, { 0x00, 0x38 }, 0xFF80FFFF, 1, 1 },
    { "G16R16F", D3DFMT_G16R16F, 4, 1, 1, { 0x00, 0x38, 0x00, 0x34 }, 0xFF8040FF, 1, 1 },
    { "A16B16G16R16F", D3DFMT_A16B16G16R16F, 8, 1, 1, { 0, 0x38, 0, 0x34, 0, 0, 0, 0x3C }, 0xFF804000, 1, 1 },
    { "R32F", D3DFMT_R32F, 4, 1, 1, { 0, 0, 0, 0x3F }, 0xFF80FFFF, 1, 1 },
    { "G32R32F", D3DFMT_G32R32F, 8, 1, 1, { 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E }, 0xFF8040FF, 1, 1 },
    { "A32B32G32R32F", D3DFMT_A32B32G32R32F, 16, 1, 1, { 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E, 0, 0, 0, 0, 0, 0, 0x80, 0x3F },
      0xFF804000, 1, 1 },
    /* 0x40 of 127 is 128.5 of 255, 0x20 is 64.3; 0x4000 of 32767 is 127.5 */
    { "V8U8", D3DFMT_V8U8, 2, 1, 1, { 0x40, 0x20 }, 0xFF8140FF, 1, 1 },
    { "Q8W8V8U8", D3DFMT_Q8W8V8U8, 4, 1, 1, { 0x40, 0x20, 0x7F, 0x81 }, 0x008140FF, 1, 1 },
    { "V16U16", D3DFMT_V16U16, 4, 1, 1, { 0x00, 0x40, 0xFF, 0x7F }, 0xFF80FFFF, 1, 1 },
    { "Q16W16V16U16", D3DFMT_Q16W16V16U16, 8, 1, 1, { 0, 0x40, 0xFF, 0x7F, 0, 0, 0xFF, 0x7F }, 0xFF80FF00, 1, 1 },
    /* L 21 of 63, V -1 of 15, U 5 of 15 */
    { "L6V5U5", D3DFMT_L6V5U5, 2, 1, 1, { 0xE5, 0x57 }, 0xFF550055, 1, 1 },
    { "X8L8V8U8", D3DFMT_X8L8V8U8, 4, 1, 1, { 0x40, 0x80, 0x99, 0x12 }, 0xFF810099, 1, 1 },
    /* A 1 of 3, W 511, V -511, U 256 of 511 */
    { "A2W10V10U10", D3DFMT_A2W10V10U10, 4, 1, 1, { 0x00, 0x05, 0xF8, 0x5F }, 0x558000FF, 1, 0 },
    /* The third is what a vector of length 1 lacks: sqrt(1 - (64 / 127)^2) = 0.8637 */
    { "CxV8U8", D3DFMT_CxV8U8, 2, 1, 1, { 0x40, 0x00 }, 0xFF8100DC, 1, 0 },
    { "P8", D3DFMT_P8, 1, 1, 1, { 0x40 }, 0xFF40BF00, 1, 0 },
    { "A8P8", D3DFMT_A8P8, 2, 1, 1, { 0x40, 0x55 }, 0x5540BF00, 1, 0 },
    /* 0xF800 is red; the first above the second has no transparent code, and index 0 is the first. */
    { "DXT1", D3DFMT_DXT1, 8, 4, 4, { 0x00, 0xF8, 0x1F, 0x00 }, 0xFFFF0000, 1, 1 },
    { "DXT2", D3DFMT_DXT2, 16, 4, 4, { 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x00, 0xF8 }, 0x33FF0000, 1, 1 },
    { "DXT3", D3DFMT_DXT3, 16, 4, 4, { 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x00, 0xF8 }, 0x33FF0000, 1, 1 },
    { "DXT4", D3DFMT_DXT4, 16, 4, 4, { 0x77, 0x77, 0, 0, 0, 0, 0, 0, 0x00, 0xF8 }, 0x77FF0000, 1, 1 },
    { "DXT5", D3DFMT_DXT5, 16, 4, 4, { 0x77, 0x77, 0, 0, 0, 0, 0, 0, 0x00, 0xF8 }, 0x77FF0000, 1, 1 },
    /* One channel everywhere; two, the second block's being red. */
    { "ATI1", 0, 8, 4, 4, { 0x77, 0x77 }, 0x77777777, 0, 1 },
    { "ATI2", 0, 16, 4, 4, { 0x33, 0x33, 0, 0, 0, 0, 0, 0, 0x77, 0x77 }, 0xFF7733FF, 0, 1 },
};

enum { FORMATS = sizeof formats / sizeof *formats, SIDE = 4 };

static IDirect3DDevice9 *device;
static IDirect3DSurface9 *target;

static void expect(const char *name, const char *what, DWORD argb)
{
    DWORD got = surface_pixel(device, target, EDGE / 2, EDGE / 2);
    CHECK(close_to(got, argb, 2), "%s %s: %08x, not %08x", name, what, (unsigned)got, (unsigned)argb);
}

static void draw(IDirect3DBaseTexture9 *texture)
{
    static const struct {
        float x, y, z, w, u, v, q;
    } quad[] = {
        { 0, 0, 0, 1, 0, 0, 0.5f }, { EDGE, 0, 0, 1, 1, 0, 0.5f }, { 0, EDGE, 0, 1, 0, 1, 0.5f }, { EDGE, EDGE, 0, 1, 1, 1, 0.5f }
    };
    OK(IDirect3DDevice9_SetTexture(device, 0, texture));
    draw_strip(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0), quad, sizeof *quad);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
}

/* Blocks row by row: the pitch that ATI formats tell is not theirs. */
static void write_blocks(const Format *f, BYTE *bits, INT pitch, int slices, INT slice_pitch)
{
    UINT columns = SIDE / f->across, rows = SIDE / f->down, x, y;
    int z;
    for (z = 0; z < slices; z++)
        for (y = 0; y < rows; y++)
            for (x = 0; x < columns; x++)
                memcpy(bits + z * slice_pitch + y * pitch + x * f->bytes, f->texel, f->bytes);
}

static void flat_texture(const Format *f, D3DFORMAT format)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;
    OK(IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, 1, 0, format, D3DPOOL_MANAGED, &texture, NULL));
    if (!texture)
        return;
    OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0));
    write_blocks(f, locked.pBits, locked.Pitch, 1, 0);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    draw((IDirect3DBaseTexture9 *)texture);
    expect(f->name, "texture", f->argb);
    OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, D3DLOCK_READONLY));
    CHECK(!memcmp(locked.pBits, f->texel, f->bytes), "%s changed in memory", f->name);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    IDirect3DTexture9_Release(texture);
}

static void volume_texture(const Format *f)
{
    IDirect3DVolumeTexture9 *texture = NULL;
    D3DLOCKED_BOX locked;
    OK(IDirect3DDevice9_CreateVolumeTexture(device, SIDE, SIDE, 2, 1, 0, f->format, D3DPOOL_MANAGED, &texture, NULL));
    if (!texture)
        return;
    OK(IDirect3DVolumeTexture9_LockBox(texture, 0, &locked, NULL, 0));
    write_blocks(f, locked.pBits, locked.RowPitch, 2, locked.SlicePitch);
    OK(IDirect3DVolumeTexture9_UnlockBox(texture, 0));
    draw((IDirect3DBaseTexture9 *)texture);
    expect(f->name, "volume", f->argb);
    IDirect3DVolumeTexture9_Release(texture);
}

static void cube_texture(const Format *f, D3DFORMAT format)
{
    IDirect3DCubeTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;
    int face;
    OK(IDirect3DDevice9_CreateCubeTexture(device, SIDE, 1, 0, format, D3DPOOL_MANAGED, &texture, NULL));
    for (face = 0; texture && face < 6; face++) {
        OK(IDirect3DCubeTexture9_LockRect(texture, face, 0, &locked, NULL, 0));
        write_blocks(f, locked.pBits, locked.Pitch, 1, 0);
        OK(IDirect3DCubeTexture9_UnlockRect(texture, face, 0));
    }
    if (!texture)
        return;
    draw((IDirect3DBaseTexture9 *)texture);
    expect(f->name, "cube", f->argb);
    IDirect3DCubeTexture9_Release(texture);
}

static void textures(IDirect3D9 *d3d)
{
    int i;
    for (i = 0; i < FORMATS; i++) {
        const Format *f = &formats[i];
        D3DFORMAT format = f->format ? f->format : FOURCC(f->name);
        HRESULT hr = IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE, format);
        CHECK(hr == D3D_OK || !f->everywhere, "%s is no texture", f->name);
        OURS(CHECK(hr == D3D_OK, "%s is no texture here", f->name);)
        if (hr != D3D_OK)
            continue;
        flat_texture(f, format);
        cube_texture(f, format);
        hr = IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_VOLUMETEXTURE, format);
        CHECK(hr == (f->volume ? D3D_OK : D3DERR_NOTAVAILABLE), "%s: volumes %#x", f->name, (unsigned)hr);
        if (hr == D3D_OK)
            volume_texture(f);
    }
}

/* What ColorFill stores of 0xDEADBEEF: the nearest code of each channel. */
static void targets(IDirect3D9 *d3d)
{
    static const struct {
        const char *name;
        D3DFORMAT format;
        UINT bytes;
        BYTE texel[16];
        BYTE mask; /* bits of the last byte that count */
    } kinds[] = {
        { "A8R8G8B8", D3DFMT_A8R8G8B8, 4, { 0xEF, 0xBE, 0xAD, 0xDE }, 0xFF },
        { "X8R8G8B8", D3DFMT_X8R8G8B8, 4, { 0xEF, 0xBE, 0xAD, 0 }, 0 },
        { "A8B8G8R8", D3DFMT_A8B8G8R8, 4, { 0xAD, 0xBE, 0xEF, 0xDE }, 0xFF },
        /* 21 of 31, 47 of 63 (or 23 of 31), 29 of 31 */
        { "R5G6B5", D3DFMT_R5G6B5, 2, { 0xFD, 0xAD }, 0xFF },
        { "X1R5G5B5", D3DFMT_X1R5G5B5, 2, { 0xFD, 0x56 }, 0x7F },
        { "G16R16", D3DFMT_G16R16, 4, { 0xAD, 0xAD, 0xBE, 0xBE }, 0xFF },
        { "A16B16G16R16", D3DFMT_A16B16G16R16, 8, { 0xAD, 0xAD, 0xBE, 0xBE, 0xEF, 0xEF, 0xDE, 0xDE }, 0xFF },
    };
    unsigned i, n;
    for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        IDirect3DSurface9 *surface = NULL;
        D3DLOCKED_RECT locked;
        HRESULT hr = IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET,
                                                  D3DRTYPE_SURFACE, kinds[i].format);
        CHECK(hr == D3D_OK, "%s is no target: %#x", kinds[i].name, (unsigned)hr);
        for (n = 0; n < 2; n++) {
            if (n)
                OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, kinds[i].format, D3DPOOL_DEFAULT, &surface, NULL));
            else
                OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, kinds[i].format, 0, 0, TRUE, &surface, NULL));
            OK(IDirect3DDevice9_ColorFill(device, surface, NULL, 0xDEADBEEF));
            OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY));
            {
                const BYTE *got = locked.pBits;
                UINT last = kinds[i].bytes - 1;
                CHECK(!memcmp(got, kinds[i].texel, last) && !((got[last] ^ kinds[i].texel[last]) & kinds[i].mask),
                      "%s %u holds %02x %02x %02x %02x", kinds[i].name, n, got[0], got[1], got[2], got[3]);
            }
            OK(IDirect3DSurface9_UnlockRect(surface));
            IDirect3DSurface9_Release(surface);
        }
    }
}

/* Video formats turn into colours by StretchRect, by the weights of ITU-R BT.601 over whole bytes. */
static void video(void)
{
    static const struct {
        const char *name;
        BYTE pair[4];
        DWORD rgb;
    } kinds[] = {
        /* Without chroma luma is grey. */
        { "YUY2", { 126, 128, 126, 128 }, 0x7E7E7E }, { "UYVY", { 128, 126, 128, 126 }, 0x7E7E7E },
        { "YUY2", { 255, 128, 255, 128 }, 0xFFFFFF }, { "UYVY", { 128, 0, 128, 0 }, 0x000000 },
        /* Y 76, U 85, V 255 is red; nothing at all is (0.344 + 0.714) * 128 of green. */
        { "YUY2", { 76, 85, 76, 255 }, 0xFE0000 }, { "UYVY", { 85, 76, 255, 76 }, 0xFE0000 },
        { "YUY2", { 0, 0, 0, 0 }, 0x008700 }, { "UYVY", { 0, 255, 0, 255 }, 0x4CFF1C },
    };
    unsigned i, x, y;
    for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        IDirect3DSurface9 *surface = NULL;
        D3DLOCKED_RECT locked;
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, FOURCC(kinds[i].name), D3DPOOL_DEFAULT, &surface, NULL));
        OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0));
        CHECK(locked.Pitch >= 16, "%s: pitch %d", kinds[i].name, (int)locked.Pitch);
        for (y = 0; y < 8; y++)
            for (x = 0; x < 4; x++)
                memcpy((BYTE *)locked.pBits + y * locked.Pitch + x * 4, kinds[i].pair, 4);
        OK(IDirect3DSurface9_UnlockRect(surface));
        OK(IDirect3DDevice9_StretchRect(device, surface, NULL, target, NULL, D3DTEXF_POINT));
        {
            DWORD got = surface_pixel(device, target, EDGE / 2, EDGE / 2) & 0xFFFFFF;
            CHECK(close_to(got, kinds[i].rgb, 4), "%s: %06x, not %06x", kinds[i].name, (unsigned)got, (unsigned)kinds[i].rgb);
        }
        IDirect3DSurface9_Release(surface);
    }
}

/* Y in a plane, then V and U in planes of half the size, or both in one. */
static void planes(void)
{
    static const struct {
        BYTE y, u, v;
        DWORD rgb;
    } cases[] = { { 255, 128, 128, 0xFFFFFF }, { 126, 128, 128, 0x7E7E7E }, { 76, 85, 255, 0xFE0000 }, { 29, 255, 107, 0x0000FE } };
    unsigned i, kind, x, y;
    for (i = 0; i < sizeof cases / sizeof *cases; i++)
        for (kind = 0; kind < 2; kind++) {
            IDirect3DSurface9 *surface = NULL;
            D3DLOCKED_RECT locked;
            BYTE *chroma;
            OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, FOURCC(kind ? "NV12" : "YV12"), D3DPOOL_DEFAULT, &surface,
                                                            NULL));
            OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0));
            memset(locked.pBits, cases[i].y, 8 * locked.Pitch);
            chroma = (BYTE *)locked.pBits + 8 * locked.Pitch;
            for (y = 0; y < 4; y++)
                for (x = 0; x < 4; x++)
                    if (kind) {
                        chroma[y * locked.Pitch + 2 * x] = cases[i].u;
                        chroma[y * locked.Pitch + 2 * x + 1] = cases[i].v;
                    } else {
                        chroma[y * locked.Pitch / 2 + x] = cases[i].v;
                        chroma[(4 + y) * locked.Pitch / 2 + x] = cases[i].u;
                    }
            OK(IDirect3DSurface9_UnlockRect(surface));
            OK(IDirect3DDevice9_StretchRect(device, surface, NULL, target, NULL, D3DTEXF_POINT));
            {
                DWORD got = surface_pixel(device, target, EDGE / 2, EDGE / 2) & 0xFFFFFF;
                CHECK(close_to(got, cases[i].rgb, 4), "%s: %06x, not %06x", kind ? "NV12" : "YV12", (unsigned)got, (unsigned)cases[i].rgb);
            }
            IDirect3DSurface9_Release(surface);
        }
}

/* Indices mean what the current palette says when they are drawn. */
static void palettes(IDirect3D9 *d3d)
{
    IDirect3DTexture9 *texture = NULL;
    PALETTEENTRY colors[256];
    D3DLOCKED_RECT locked;
    UINT index = 0;
    if (FAILED(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE, D3DFMT_P8)))
        return;
    memset(colors, 0xFF, sizeof colors);
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_P8, D3DPOOL_MANAGED, &texture, NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0));
    memset(locked.pBits, 7, 4 * locked.Pitch);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    colors[7].peRed = 0x20;
    OK(IDirect3DDevice9_SetPaletteEntries(device, 5, colors));
    draw((IDirect3DBaseTexture9 *)texture);
    expect("P8", "palette 3", 0xFF07F800);
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, 5));
    OK(IDirect3DDevice9_GetCurrentTexturePalette(device, &index));
    CHECK(index == 5, "palette %u", index);
    draw((IDirect3DBaseTexture9 *)texture);
    expect("P8", "palette 5", 0xFF20FFFF);
    colors[7].peGreen = 0x40;
    OK(IDirect3DDevice9_SetPaletteEntries(device, 5, colors));
    draw((IDirect3DBaseTexture9 *)texture);
    expect("P8", "palette 5 changed", 0xFF2040FF);
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, 3));
    draw((IDirect3DBaseTexture9 *)texture);
    expect("P8", "palette 3 again", 0xFF07F800);
    IDirect3DTexture9_Release(texture);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    PALETTEENTRY palette[256];
    int i;
    device = make_device(d3d);
    for (i = 0; i < 256; i++) {
        palette[i].peRed = i;
        palette[i].peGreen = 255 - i;
        palette[i].peBlue = 0;
        palette[i].peFlags = 255;
    }
    OK(IDirect3DDevice9_SetPaletteEntries(device, 3, palette));
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, 3));
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, 0, 0, FALSE, &target, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE));
    textures(d3d);
    targets(d3d);
    video();
    planes();
    palettes(d3d);
    IDirect3DSurface9_Release(target);
    IDirect3DDevice9_Release(device);
    IDirect3D9_Release(d3d);
    return finish("formats");
}
