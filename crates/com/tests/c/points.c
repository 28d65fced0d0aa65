/* Points of programs: their sizes and the limits of these, sprites. */
#include "visual.h"

/*
 * vs_2_0
 * dcl_position v0
 * mov oPos, v0
 * mov oPts.x, c0.x
 * mov oD0, c1
 * mov oT0, c2
 */
static const DWORD written[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0x02000001,
    0xC0010002, 0xA0000000, 0x02000001, 0xD00F0000, 0xA0E40001, 0x02000001, 0xE00F0000, 0xA0E40002,
    0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * dcl_psize v1
 * mov oPos, v0
 * mov oPts.x, v1.x
 * mov oD0, c1
 * mov oT0, c2
 */
static const DWORD given[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000004, 0x900F0001, 0x02000001,
    0xC00F0000, 0x90E40000, 0x02000001, 0xC0010002, 0x90000001, 0x02000001, 0xD00F0000, 0xA0E40001,
    0x02000001, 0xE00F0000, 0xA0E40002, 0x0000FFFF,
};

/*
 * vs_3_0
 * dcl_position v0
 * dcl_position o0
 * dcl_psize o1
 * dcl_texcoord o2
 * mov o0, v0
 * mov o1, c0.x
 * mov o2, c2
 */
static const DWORD written_3[] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000000, 0xE00F0000, 0x0200001F,
    0x80000004, 0xE00F0001, 0x0200001F, 0x80000005, 0xE00F0002, 0x02000001, 0xE00F0000, 0x90E40000,
    0x02000001, 0xE00F0001, 0xA0000000, 0x02000001, 0xE00F0002, 0xA0E40002, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * mov oPos, v0
 * mov oT0, c2
 */
static const DWORD silent[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0x02000001,
    0xE00F0000, 0xA0E40002, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0
 * mov oC0, t0
 */
static const DWORD coordinates[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x02000001, 0x800F0800, 0xB0E40000, 0x0000FFFF,
};

static float point[4] = { 0, 0, 0.5f, 0 };

/* Pixels of the row through the point that were drawn. */
static int width(void)
{
    IDirect3DSurface9 *back = NULL, *copy = NULL;
    D3DLOCKED_RECT locked;
    int x, n = 0;
    clear_target(0);
    draw_up(D3DPT_POINTLIST, 1, point, sizeof point);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy,
                                                    NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY));
    for (x = 0; x < EDGE; x++)
        n += *(DWORD *)((char *)locked.pBits + (EDGE / 2) * locked.Pitch + x * 4) != 0;
    OK(IDirect3DSurface9_UnlockRect(copy));
    IDirect3DSurface9_Release(copy);
    IDirect3DSurface9_Release(back);
    return n;
}

#define EXPECT_WIDTH(want, ...) \
    do { \
        int got_ = width(); \
        char what_[80]; \
        sprintf(what_, __VA_ARGS__); \
        CHECK(got_ == (want), "%s: %d pixels, not %d", what_, got_, (want)); \
    } while (0)

int main(void)
{
    static const DWORD *const shaders[] = { written, given, written_3 };
    int i, size;
    start();
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_PSIZE));
    vs_constant(1, 1, 1, 1, 1);
    vs_constant(2, 0.25f, 0.5f, 0.75f, 1);
    use_ps(coordinates);
    for (i = 0; i < 3; i++) {
        use_vs(shaders[i]);
        for (size = 4; size <= 32; size *= 2) {
            vs_constant(0, (float)size, 0, 0, 0);
            point[3] = (float)size;
            EXPECT_WIDTH(size, "shader %d, size %d", i, size);
        }
        /* The limits of the states hold for what shaders write. */
        state(D3DRS_POINTSIZE_MAX, float_bits(8));
        EXPECT_WIDTH(8, "shader %d, at most 8", i);
        state(D3DRS_POINTSIZE_MAX, float_bits(64));
        state(D3DRS_POINTSIZE_MIN, float_bits(40));
        EXPECT_WIDTH(40, "shader %d, at least 40", i);
        state(D3DRS_POINTSIZE_MIN, float_bits(1));
    }
    use_vs(silent);
    state(D3DRS_POINTSIZE, float_bits(12));
    EXPECT_WIDTH(12, "size of the state");

    /* Sprites: coordinates run over the point, whatever the shader wrote. */
    use_vs(written);
    vs_constant(0, 32, 0, 0, 0);
    clear_target(0);
    draw_up(D3DPT_POINTLIST, 1, point, sizeof point);
    EXPECT_AT(device, 20, 20, 0x4080BF, "no sprite");
    state(D3DRS_POINTSPRITEENABLE, TRUE);
    clear_target(0);
    draw_up(D3DPT_POINTLIST, 1, point, sizeof point);
    /* The point covers 16 to 48, and pixel 24 is at 24. */
    CHECK(close_to(pixel(device, 24, 40) & 0xFFFF00, rgb(8 / 32.0, 24 / 32.0, 0), 1), "sprite: %06x",
          (unsigned)pixel(device, 24, 40));
    CHECK(close_to(pixel(device, 40, 20) & 0xFFFF00, rgb(24 / 32.0, 4 / 32.0, 0), 1), "sprite: %06x",
          (unsigned)pixel(device, 40, 20));
    state(D3DRS_POINTSPRITEENABLE, FALSE);
    use_vs(NULL);
    use_ps(NULL);
    return stop("points");
}
