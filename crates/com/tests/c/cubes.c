/* Cube textures: filters stay on a face, and address modes do not count. */
#include "visual.h"

typedef struct {
    float x, y, z, w, u, v, q;
} Vertex;

static const DWORD faces[6] = { 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFF00, 0xFFFF00FF, 0xFF00FFFF };

/* dcl_cube s0; dcl t0.xyz; texld r0, t0, s0; mov oC0, r0 */
static const DWORD reads[] = { 0xFFFF0200, 0x0200001F, 0x98000000, 0xA00F0800, 0x0200001F, 0x80000000, 0xB0070000,
                               0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, 0xFFFF };

/* Each level of each face in one colour, or dark where `checkers` and x + y is even. */
static IDirect3DCubeTexture9 *cube(UINT edge, UINT levels, int checkers)
{
    IDirect3DCubeTexture9 *texture = NULL;
    UINT face, level, x, y;
    OK(IDirect3DDevice9_CreateCubeTexture(device, edge, levels, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    for (face = 0; face < 6; face++)
        for (level = 0; level < IDirect3DCubeTexture9_GetLevelCount(texture); level++) {
            D3DLOCKED_RECT locked;
            UINT size = edge >> level;
            OK(IDirect3DCubeTexture9_LockRect(texture, (D3DCUBEMAP_FACES)face, level, &locked, NULL, 0));
            for (y = 0; y < size; y++)
                for (x = 0; x < size; x++)
                    ((DWORD *)((char *)locked.pBits + y * locked.Pitch))[x] =
                        checkers && !((x + y) & 1) ? 0xFF000000 : faces[face];
            OK(IDirect3DCubeTexture9_UnlockRect(texture, (D3DCUBEMAP_FACES)face, level));
        }
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    return texture;
}

/* The whole target in the colour of one direction, or of `a` at the left to `b` at the right. */
static void look(const float a[3], const float b[3])
{
    Vertex v[4] = { { -0.5f, -0.5f, 0.5f, 1, a[0], a[1], a[2] }, { EDGE - 0.5f, -0.5f, 0.5f, 1, b[0], b[1], b[2] },
                    { -0.5f, EDGE - 0.5f, 0.5f, 1, a[0], a[1], a[2] }, { EDGE - 0.5f, EDGE - 0.5f, 0.5f, 1, b[0], b[1], b[2] } };
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
    draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
}

static void sampler(DWORD filter, DWORD mips, DWORD address)
{
    static const D3DSAMPLERSTATETYPE axes[] = { D3DSAMP_ADDRESSU, D3DSAMP_ADDRESSV, D3DSAMP_ADDRESSW };
    int i;
    for (i = 0; i < 3; i++)
        OK(IDirect3DDevice9_SetSamplerState(device, 0, axes[i], address));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_BORDERCOLOR, 0xFF808080));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, filter));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, filter));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, mips));
}

/* Near the edges and corners of every face: its own colour and nothing else. */
static void edges(void)
{
    static const struct { float at[3]; int face; } table[] = {
        { { 1, 0.99f, 0 }, 0 }, { { 1, -0.99f, 0.98f }, 0 }, { { 1, 0.2f, -0.99f }, 0 },
        { { -1, 0.98f, 0.98f }, 1 }, { { -1, -0.3f, 0.97f }, 1 }, { { -1, -0.3f, -0.99f }, 1 },
        { { 0.3f, 1, 0.99f }, 2 }, { { 0.98f, 1, -0.98f }, 2 }, { { -0.99f, 1, 0 }, 2 },
        { { 0.1f, -1, -0.97f }, 3 }, { { 0.99f, -1, 0.98f }, 3 }, { { -0.97f, -1, 0.5f }, 3 },
        { { 0.99f, 0.2f, 1 }, 4 }, { { -0.98f, 0.98f, 1 }, 4 }, { { 0, -0.99f, 1 }, 4 },
        { { 0.98f, 0.98f, -1 }, 5 }, { { 0.6f, -0.99f, -1 }, 5 }, { { -0.99f, 0.3f, -1 }, 5 },
    };
    static const UINT sizes[] = { 1, 2, 8 };
    unsigned i, size, levels, program, filter;
    DWORD address;
    for (size = 0; size < 3; size++)
        for (levels = 0; levels < 2; levels++) {
            IDirect3DCubeTexture9 *texture = cube(sizes[size], levels, 0);
            for (program = 0; program < 2; program++) {
                use_ps(program ? reads : NULL);
                for (filter = D3DTEXF_POINT; filter <= D3DTEXF_LINEAR; filter++)
                    for (address = D3DTADDRESS_WRAP; address <= D3DTADDRESS_MIRRORONCE; address += program + 1) {
                        sampler(filter, levels ? D3DTEXF_NONE : filter, address);
                        for (i = 0; i < sizeof table / sizeof *table; i++) {
                            look(table[i].at, table[i].at);
                            EXPECT(device, faces[table[i].face] & 0xFFFFFF, "near an edge");
                        }
                    }
            }
            use_ps(NULL);
            OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
            IDirect3DCubeTexture9_Release(texture);
        }
}

/* Which texel of a face: two by two, bright where x + y is odd, halves between their centres. */
static void places(void)
{
    static const struct { float at[3]; DWORD color; } table[] = {
        /* +X: right is -z, down is -y. */
        { { 1, 0.5f, 0.5f }, 0 }, { { 1, 0.5f, -0.5f }, 0xFF0000 }, { { 1, -0.5f, 0.5f }, 0xFF0000 },
        { { 1, 0.5f, 0 }, 0x800000 }, { { 1, 0.9f, 0.9f }, 0 }, { { 2, 1.25f, -0.5f }, 0xBF0000 },
        /* -X: right is z. */
        { { -1, 0.5f, -0.5f }, 0 }, { { -1, 0.5f, 0.5f }, 0x00FF00 },
        /* +Y: right is x, down is z. */
        { { -0.5f, 1, -0.5f }, 0 }, { { 0.5f, 1, -0.5f }, 0x0000FF }, { { -0.5f, 1, 0.5f }, 0x0000FF },
        /* -Y: down is -z. */
        { { -0.5f, -1, 0.5f }, 0 }, { { 0.5f, -1, 0.5f }, 0xFFFF00 }, { { 0.5f, -1, -0.5f }, 0 },
        /* +Z: right is x, down is -y; -Z: right is -x. */
        { { -0.5f, 0.5f, 1 }, 0 }, { { 0.5f, 0.5f, 1 }, 0xFF00FF }, { { 0.5f, 0.5f, -1 }, 0 }, { { -0.5f, 0.5f, -1 }, 0x00FFFF },
    };
    IDirect3DCubeTexture9 *texture = cube(2, 1, 1);
    unsigned i;
    sampler(D3DTEXF_LINEAR, D3DTEXF_NONE, D3DTADDRESS_CLAMP);
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        look(table[i].at, table[i].at);
        EXPECT(device, table[i].color, "on a face");
    }
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DCubeTexture9_Release(texture);
}

/* The level of detail where faces meet is that of the face: magnified, level 0 everywhere. */
static void levels(void)
{
    static const float left[3] = { 1, 0.1f, 0.5f }, right[3] = { 0.5f, 0.1f, 1 };
    static const float far_left[3] = { 1, -8, 8 }, far_right[3] = { 1, 8, 8 };
    IDirect3DCubeTexture9 *texture = NULL;
    UINT face, level, x;
    int column;
    OK(IDirect3DDevice9_CreateCubeTexture(device, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    for (face = 0; face < 6; face++)
        for (level = 0; level < 4; level++) {
            D3DLOCKED_RECT locked;
            UINT size = 8 >> level;
            OK(IDirect3DCubeTexture9_LockRect(texture, (D3DCUBEMAP_FACES)face, level, &locked, NULL, 0));
            for (x = 0; x < size * size; x++)
                ((DWORD *)((char *)locked.pBits + x / size * locked.Pitch))[x % size] = 0xFF000040 + 0x400000 * level;
            OK(IDirect3DCubeTexture9_UnlockRect(texture, (D3DCUBEMAP_FACES)face, level));
        }
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    sampler(D3DTEXF_LINEAR, D3DTEXF_LINEAR, D3DTADDRESS_WRAP);
    look(left, right);
    for (column = 1; column < EDGE; column += 3)
        EXPECT_AT(device, column, 32, 0x000040, "a magnified cube");
    /* The y of the middle columns goes through a face of 8 texels in 8 of 64 pixels. */
    look(far_left, far_right);
    EXPECT(device, 0x000040, "a texel a pixel");
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 2));
    look(left, right);
    EXPECT(device, 0x800040, "MAXMIPLEVEL");
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXMIPLEVEL, 0));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DCubeTexture9_Release(texture);
}

int main(void)
{
    start();
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE));
    edges();
    places();
    levels();
    return stop("cubes");
}
