/* Several render targets: which outputs reach which, masks, blending, formats, clears. */
#include "visual.h"

/*
 * vs_2_0
 * dcl_position v0
 * mov oPos, v0
 */
static const DWORD position[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * def c0, 1, 0, 0, 1
 * def c1, 0, 1, 0, 0.5
 * mov oC0, c0
 * mov oC1, c1
 */
static const DWORD two_outputs[] = {
    0xFFFF0200, 0x05000051, 0xA00F0000, 0x3F800000, 0x00000000, 0x00000000, 0x3F800000, 0x05000051,
    0xA00F0001, 0x00000000, 0x3F800000, 0x00000000, 0x3F000000, 0x02000001, 0x800F0800, 0xA0E40000,
    0x02000001, 0x800F0801, 0xA0E40001, 0x0000FFFF,
};

/*
 * ps_3_0
 * def c0, 1, 0, 0, 1
 * def c1, 0, 1, 0, 0.5
 * def c2, 0, 0, 1, 0.25
 * mov oC0, c0
 * mov oC1, c1
 * mov oC2, c2
 * add oC3, c0, c1
 */
static const DWORD four_outputs[] = {
    0xFFFF0300, 0x05000051, 0xA00F0000, 0x3F800000, 0x00000000, 0x00000000, 0x3F800000, 0x05000051,
    0xA00F0001, 0x00000000, 0x3F800000, 0x00000000, 0x3F000000, 0x05000051, 0xA00F0002, 0x00000000,
    0x00000000, 0x3F800000, 0x3E800000, 0x02000001, 0x800F0800, 0xA0E40000, 0x02000001, 0x800F0801,
    0xA0E40001, 0x02000001, 0x800F0802, 0xA0E40002, 0x03000002, 0x800F0803, 0xA0E40000, 0xA0E40001,
    0x0000FFFF,
};

/*
 * ps_1_1
 * def c0, 1, 1, 0, 1
 * mov r0, c0
 */
static const DWORD old[] = {
    0xFFFF0101, 0x00000051, 0xA00F0000, 0x3F800000, 0x3F800000, 0x00000000, 0x3F800000, 0x00000001,
    0x800F0000, 0xA0E40000, 0x0000FFFF,
};

static IDirect3DSurface9 *surfaces[4];

static void draw_all(void)
{
    draw_up(D3DPT_TRIANGLESTRIP, 2, corners, 12);
}

static void bind_targets(int count)
{
    int i;
    for (i = 0; i < 4; i++)
        target(i, i < count ? surfaces[i] : NULL);
}

static void expect(const char *what, DWORD a, DWORD b, DWORD c, DWORD d)
{
    EXPECT_ARGB(surfaces[0], 5, 5, a, what);
    EXPECT_ARGB(surfaces[1], 5, 5, b, what);
    EXPECT_ARGB(surfaces[2], 5, 5, c, what);
    EXPECT_ARGB(surfaces[3], 5, 5, d, what);
}

/* A target without an output keeps what it has, as does an output's target that is not bound. */
static void outputs(void)
{
    const DWORD keep = 0x11223344;
    bind_targets(4);
    clear_target(keep);
    use_ps(two_outputs);
    draw_all();
    expect("two outputs, four targets", 0xFFFF0000, 0x8000FF00, keep, keep);
    clear_target(keep);
    use_ps(four_outputs);
    draw_all();
    expect("four outputs", 0xFFFF0000, 0x8000FF00, 0x400000FF, 0xFFFFFF00);
    clear_target(keep);
    use_ps(old);
    draw_all();
    expect("ps_1_1", 0xFFFFFF00, keep, keep, keep);
    clear_target(keep);
    use_ps(NULL);
    draw_all();
    expect("fixed function", 0xFFFFFFFF, keep, keep, keep);

    clear_target(keep);
    bind_targets(2);
    use_ps(four_outputs);
    draw_all();
    expect("four outputs, two targets", 0xFFFF0000, 0x8000FF00, keep, keep);
    bind_targets(4);
    clear_target(keep);
    target(1, NULL);
    draw_all();
    expect("a hole", 0xFFFF0000, keep, 0x400000FF, 0xFFFFFF00);
}

static void masks_and_blending(void)
{
    bind_targets(4);
    use_ps(four_outputs);
    state(D3DRS_COLORWRITEENABLE, D3DCOLORWRITEENABLE_RED);
    state(D3DRS_COLORWRITEENABLE1, D3DCOLORWRITEENABLE_GREEN);
    state(D3DRS_COLORWRITEENABLE2, D3DCOLORWRITEENABLE_BLUE);
    state(D3DRS_COLORWRITEENABLE3, D3DCOLORWRITEENABLE_ALPHA);
    /* Clear is not masked. */
    clear_target(0x11223344);
    expect("cleared", 0x11223344, 0x11223344, 0x11223344, 0x11223344);
    draw_all();
    expect("masks", 0x11FF3344, 0x1122FF44, 0x112233FF, 0xFF223344);
    state(D3DRS_COLORWRITEENABLE, 15);
    state(D3DRS_COLORWRITEENABLE1, 15);
    state(D3DRS_COLORWRITEENABLE2, 15);
    state(D3DRS_COLORWRITEENABLE3, 15);

    /* Each target blends with the alpha of its own output. */
    state(D3DRS_ALPHABLENDENABLE, TRUE);
    state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    clear_target(0x80808080);
    draw_all();
    expect("blended", 0xFFFF0000, 0x8040C040, 0x706060A0, 0xFFFFFF00);
    state(D3DRS_ALPHABLENDENABLE, FALSE);

    /* The alpha test sees output 0 alone. */
    state(D3DRS_ALPHATESTENABLE, TRUE);
    state(D3DRS_ALPHAREF, 0x80);
    state(D3DRS_ALPHAFUNC, D3DCMP_LESS);
    clear_target(0x80808080);
    draw_all();
    expect("alpha test", 0x80808080, 0x80808080, 0x80808080, 0x80808080);
    state(D3DRS_ALPHATESTENABLE, FALSE);
}

/* Targets of unlike formats and sizes: a clear reaches as far as the viewport, which is target 0's. */
static void formats_and_sizes(void)
{
    IDirect3DSurface9 *big = make_target(128, 128, D3DFMT_A8R8G8B8),
                      *floats = make_target(64, 64, D3DFMT_A32B32G32R32F);
    bind_targets(1);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    target(0, big);
    clear_target(0x01020304);
    target(0, surfaces[0]);
    target(1, big);
    clear_target(0xFF808080);
    EXPECT_ARGB(surfaces[0], 63, 63, 0xFF808080, "cleared");
    EXPECT_ARGB(big, 63, 63, 0xFF808080, "inside of target 0");
    EXPECT_ARGB(big, 64, 63, 0x01020304, "right of target 0");
    EXPECT_ARGB(big, 63, 64, 0x01020304, "below target 0");
    use_ps(two_outputs);
    draw_all();
    EXPECT_ARGB(surfaces[0], 63, 63, 0xFFFF0000, "drawn");
    EXPECT_ARGB(big, 63, 63, 0x8000FF00, "drawn inside of target 0");
    EXPECT_ARGB(big, 64, 63, 0x01020304, "drawn right of target 0");

    target(1, floats);
    clear_target(0x80FF4000);
    EXPECT_FLOATS(floats, 5, 5, 1, 64 / 255.0f, 0, 128 / 255.0f, "cleared floats");
    draw_all();
    EXPECT_FLOATS(floats, 5, 5, 0, 1, 0, 0.5f, "drawn floats");
    EXPECT_ARGB(surfaces[0], 5, 5, 0xFFFF0000, "drawn beside floats");
    target(1, NULL);
    IDirect3DSurface9_Release(big);
    IDirect3DSurface9_Release(floats);
}

int main(void)
{
    D3DCAPS9 caps;
    int i;
    start();
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    CHECK(caps.NumSimultaneousRTs == 4, "%lu targets", (unsigned long)caps.NumSimultaneousRTs);
    for (i = 0; i < 4; i++)
        surfaces[i] = make_target(EDGE, EDGE, D3DFMT_A8R8G8B8);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    use_vs(position);
    outputs();
    masks_and_blending();
    formats_and_sizes();
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 0, NULL));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 4, NULL));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 4, surfaces[0]));
    back_buffer_target();
    for (i = 0; i < 4; i++)
        IDirect3DSurface9_Release(surfaces[i]);
    use_vs(NULL);
    use_ps(NULL);
    return stop("targets");
}
