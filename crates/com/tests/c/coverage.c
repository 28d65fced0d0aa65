/* Which pixels are covered: those whose centre, at integer coordinates, lies in the shape or on its
 * left or top edge, to the 256th of a pixel; and what a texture gives there. */
#include "visual.h"

/* An offset of everything, in 256ths of a pixel. */
static const int offsets[] = {0, 1, -1, 2, -2, 3, -3, 4, -4, 8, -8, 16, -16, 64, -64, 100, 128, -127, 200, 255};
#define OFFSETS (sizeof offsets / sizeof *offsets)

static IDirect3DSurface9 *back;
static DWORD picture[EDGE][EDGE];

static void read_picture(void)
{
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT locked;
    int y;
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY));
    for (y = 0; y < EDGE; y++)
        memcpy(picture[y], (char *)locked.pBits + y * locked.Pitch, sizeof picture[y]);
    OK(IDirect3DSurface9_UnlockRect(copy));
    IDirect3DSurface9_Release(copy);
}

/* Draws points in pixels: as they are, or in clip space. */
static void draw_points(D3DPRIMITIVETYPE primitive, UINT primitives, const float (*at)[2], int count, int clip)
{
    float v[8][4];
    int i;
    for (i = 0; i < count; i++) {
        v[i][0] = clip ? at[i][0] / (EDGE / 2) - 1 : at[i][0];
        v[i][1] = clip ? 1 - at[i][1] / (EDGE / 2) : at[i][1];
        v[i][2] = 0.5f;
        v[i][3] = 1;
    }
    clear_target(0xFF000000);
    OK(IDirect3DDevice9_SetFVF(device, clip ? D3DFVF_XYZ : D3DFVF_XYZRHW));
    if (clip)
        for (i = 0; i < count; i++)
            memmove((float *)v + i * 3, v[i], 12);
    draw_up(primitive, primitives, v, clip ? 12 : 16);
    read_picture();
}

/* Centres from `from` up to `to`, both in 256ths. */
static int within(int pixel, int from, int to)
{
    return pixel * 256 >= from && pixel * 256 < to;
}

static void rectangles(int clip)
{
    unsigned k;
    for (k = 0; k < OFFSETS; k++) {
        int from = 10 * 256 + offsets[k], to = 25 * 256 + offsets[k], x, y, wrong = 0;
        float a = from / 256.0f, b = to / 256.0f;
        const float at[4][2] = {{a, a}, {b, a}, {a, b}, {b, b}};
        draw_points(D3DPT_TRIANGLESTRIP, 2, at, 4, clip);
        for (y = 0; y < EDGE; y++)
            for (x = 0; x < EDGE; x++)
                wrong += (picture[y][x] == 0xFFFFFFFF) != (within(x, from, to) && within(y, from, to));
        CHECK(!wrong, "rectangle moved by %d/256, clip %d: %d pixels", offsets[k], clip, wrong);
    }
}

/* Right-angled triangles with a slope through pixel centres: above it, and below it. */
static void triangles(int clip)
{
    unsigned k;
    for (k = 0; k < OFFSETS; k++) {
        int o = offsets[k], below;
        for (below = 0; below < 2; below++) {
            int from = 8 * 256 + o, to = 24 * 256 + o, x, y, wrong = 0;
            float a = from / 256.0f, b = to / 256.0f;
            const float above_at[3][2] = {{a, a}, {b, a}, {a, b}}, below_at[3][2] = {{b, a}, {b, b}, {a, b}};
            draw_points(D3DPT_TRIANGLELIST, 1, below ? below_at : above_at, 3, clip);
            for (y = 0; y < EDGE; y++) {
                for (x = 0; x < EDGE; x++) {
                    /* The slope is where x + y is `from + to`; it is the right edge of what is
                     * above it and the left edge of what is below. */
                    int sum = (x + y) * 256, inside;
                    if (below)
                        inside = sum >= from + to && x * 256 < to && y * 256 < to;
                    else
                        inside = sum < from + to && x * 256 >= from && y * 256 >= from;
                    wrong += (picture[y][x] == 0xFFFFFFFF) != inside;
                }
            }
            CHECK(!wrong, "triangle %d moved by %d/256, clip %d: %d pixels", below, o, clip, wrong);
        }
    }
}

static void points(int clip)
{
    int size;
    for (size = 1; size <= 5; size++) {
        unsigned k;
        state(D3DRS_POINTSIZE, float_bits((float)size));
        for (k = 0; k < OFFSETS; k++) {
            int centre = 20 * 256 + offsets[k], x, y, wrong = 0;
            const float at[1][2] = {{centre / 256.0f, centre / 256.0f}};
            draw_points(D3DPT_POINTLIST, 1, at, 1, clip);
            for (y = 0; y < EDGE; y++) {
                for (x = 0; x < EDGE; x++) {
                    int from = centre - size * 128, to = centre + size * 128;
                    wrong += (picture[y][x] == 0xFFFFFFFF) != (within(x, from, to) && within(y, from, to));
                }
            }
            CHECK(!wrong, "point of %d moved by %d/256, clip %d: %d pixels", size, offsets[k], clip, wrong);
        }
    }
    state(D3DRS_POINTSIZE, float_bits(1));
}

/* A texture of black and white columns over as many pixels: half a pixel to the left, centres meet
 * texel centres and no filter mixes anything; unmoved, they meet texel edges, and points take the
 * texel right of each. */
static void texels(void)
{
    DWORD columns[EDGE * 4];
    IDirect3DTexture9 *texture;
    int filter, moved, i, y;
    for (i = 0; i < EDGE * 4; i++)
        columns[i] = i & 1 ? 0xFFFFFFFF : 0xFF000000;
    texture = make_texture(device, EDGE, 4, columns);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    for (filter = D3DTEXF_POINT; filter <= D3DTEXF_LINEAR; filter++) {
        for (moved = 0; moved < 2; moved++) {
            float o = moved ? -0.5f : 0;
            const struct {
                float x, y, z, w, u, v;
            } v[4] = {{o, o, 0.5f, 1, 0, 0},
                      {EDGE + o, o, 0.5f, 1, 1, 0},
                      {o, EDGE + o, 0.5f, 1, 0, 1},
                      {EDGE + o, EDGE + o, 0.5f, 1, 1, 1}};
            int wrong = 0;
            if (filter == D3DTEXF_LINEAR && !moved)
                continue;
            OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, filter));
            OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, filter));
            clear_target(0xFF123456);
            OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
            draw_up(D3DPT_TRIANGLESTRIP, 2, v, sizeof *v);
            read_picture();
            for (y = 0; y < EDGE; y++)
                for (i = 0; i < EDGE; i++)
                    wrong += !close_to(picture[y][i], columns[i], 1);
            CHECK(!wrong, "filter %d, moved %d: %d pixels", filter, moved, wrong);
        }
    }
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATE));
    IDirect3DTexture9_Release(texture);
}

int main(void)
{
    int clip;
    start();
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    for (clip = 0; clip < 2; clip++) {
        rectangles(clip);
        triangles(clip);
        points(clip);
    }
    texels();
    IDirect3DSurface9_Release(back);
    return stop("coverage");
}
