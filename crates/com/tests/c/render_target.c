/* Render to texture, several targets, copies between surfaces, and depth surfaces of one's own. */
#include "common.h"

struct vertex {
    float x, y, z, rhw;
    DWORD diffuse;
};

struct textured {
    float x, y, z, rhw;
    float u, v;
};

static IDirect3DDevice9 *device;

/* A rectangle in pixels, edges exactly on pixel edges. */
static void fill(float left, float top, float right, float bottom, float z, DWORD color)
{
    struct vertex quad[4] = {
        { left - 0.5f, top - 0.5f, z, 1, color }, { right - 0.5f, top - 0.5f, z, 1, color },
        { left - 0.5f, bottom - 0.5f, z, 1, color }, { right - 0.5f, bottom - 0.5f, z, 1, color },
    };
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]));
}

static void paste(IDirect3DTexture9 *texture)
{
    struct textured quad[4] = {
        { -0.5f, -0.5f, 0.5f, 1, 0, 0 }, { EDGE - 0.5f, -0.5f, 0.5f, 1, 1, 0 },
        { -0.5f, EDGE - 0.5f, 0.5f, 1, 0, 1 }, { EDGE - 0.5f, EDGE - 0.5f, 0.5f, 1, 1, 1 },
    };
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    draw_strip(device, D3DFVF_XYZRHW | D3DFVF_TEX1, quad, sizeof quad[0]);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATE));
}

static void to_texture(void)
{
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *level = NULL, *back = NULL, *found = NULL;
    D3DVIEWPORT9 viewport;
    D3DSURFACE_DESC desc;

    OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DSurface9_GetDesc(level, &desc));
    CHECK(desc.Width == 32 && desc.Usage == D3DUSAGE_RENDERTARGET && desc.Type == D3DRTYPE_SURFACE,
          "the level's description");
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, level));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &found));
    CHECK(found == level, "GetRenderTarget gives another surface");
    IDirect3DSurface9_Release(found);
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    CHECK(viewport.Width == 32 && viewport.Height == 32, "the viewport is not the new target's");

    /* Red, its right half green. */
    clear(device, 0xFFFF0000);
    OK(IDirect3DDevice9_BeginScene(device));
    fill(16, 0, 32, 32, 0.5f, 0xFF00FF00);
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT_AT(device, 15, 16, 0xFF0000, "target, left of the edge");
    EXPECT_AT(device, 16, 16, 0x00FF00, "target, right of the edge");

    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    CHECK(viewport.Width == EDGE && viewport.Height == EDGE, "the viewport is not the back buffer's");
    paste(texture);
    EXPECT_AT(device, 31, 10, 0xFF0000, "pasted, left");
    EXPECT_AT(device, 32, 10, 0x00FF00, "pasted, right");

    /* StretchRect of a part, enlarged four times without filtering. */
    {
        RECT from = { 12, 0, 20, 8 }, to = { 0, 32, 32, 64 };
        clear(device, 0xFF0000FF);
        OK(IDirect3DDevice9_StretchRect(device, level, &from, back, &to, D3DTEXF_POINT));
        EXPECT_AT(device, 15, 40, 0xFF0000, "stretched, left");
        EXPECT_AT(device, 16, 40, 0x00FF00, "stretched, right");
        EXPECT_AT(device, 16, 31, 0x0000FF, "stretched, outside");
    }

    /* ColorFill of a part. */
    {
        RECT part = { 4, 4, 8, 8 };
        OK(IDirect3DDevice9_ColorFill(device, level, &part, 0xFF112233));
        CHECK((surface_pixel(device, level, 4, 4) & 0xFFFFFF) == 0x112233, "filled, inside");
        CHECK((surface_pixel(device, level, 8, 8) & 0xFFFFFF) == 0xFF0000, "filled, outside");
    }

    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(level);
    CHECK(IDirect3DTexture9_Release(texture) == 0, "the texture is still referenced");
}

/* Two targets, one clear for both; and depth of the program's own. */
static void several(void)
{
    IDirect3DSurface9 *second = NULL, *depth = NULL, *automatic = NULL, *none = NULL;

    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                           FALSE, &second, NULL));
    HR(D3DERR_NOTFOUND, IDirect3DDevice9_GetRenderTarget(device, 1, &none));
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, second));
    clear(device, 0xFF336699);
    EXPECT(device, 0x336699, "target 0 of two");
    CHECK((surface_pixel(device, second, 9, 9) & 0xFFFFFF) == 0x336699, "target 1 of two");
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, NULL));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 0, NULL));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 4, second));

    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &automatic));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, D3DFMT_D16, D3DMULTISAMPLE_NONE, 0,
                                                  TRUE, &depth, NULL));
    INVALID(IDirect3DDevice9_SetDepthStencilSurface(device, second));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    clear(device, 0xFF000000);
    OK(IDirect3DDevice9_BeginScene(device));
    fill(0, 0, 64, 64, 0.4f, 0xFFFF0000);
    fill(0, 0, 64, 64, 0.6f, 0xFF00FF00);
    fill(0, 0, 32, 64, 0.2f, 0xFF0000FF);
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT_AT(device, 48, 32, 0xFF0000, "the farther quad is hidden");
    EXPECT_AT(device, 16, 32, 0x0000FF, "the nearer quad is seen");

    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    HR(D3DERR_NOTFOUND, IDirect3DDevice9_GetDepthStencilSurface(device, &none));
    INVALID(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, automatic));
    IDirect3DSurface9_Release(automatic);
    CHECK(IDirect3DSurface9_Release(depth) == 0, "the depth surface is still referenced");
    CHECK(IDirect3DSurface9_Release(second) == 0, "target 1 is still referenced");
}

/* UpdateSurface and UpdateTexture carry texels from system memory. */
static void update(void)
{
    IDirect3DTexture9 *memory = NULL, *gpu = NULL;
    IDirect3DSurface9 *from = NULL, *to = NULL;
    D3DLOCKED_RECT locked;
    RECT part = { 1, 1, 3, 3 };
    POINT at = { 2, 0 };
    int i;

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &memory, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &gpu, NULL));
    INVALID(IDirect3DTexture9_LockRect(gpu, 0, &locked, NULL, 0));
    OK(IDirect3DTexture9_LockRect(memory, 0, &locked, NULL, 0));
    for (i = 0; i < 16; i++)
        *(DWORD *)((char *)locked.pBits + i / 4 * locked.Pitch + i % 4 * 4) = 0xFF000000 | 0x0A0A0Au * (unsigned)i;
    OK(IDirect3DTexture9_UnlockRect(memory, 0));
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)memory, (IDirect3DBaseTexture9 *)gpu));
    INVALID(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)gpu, (IDirect3DBaseTexture9 *)memory));
    paste(gpu);
    EXPECT_AT(device, 8, 8, 0x000000, "texel 0");
    EXPECT_AT(device, 56, 56, 0x0A0A0A * 15, "texel 15");
    EXPECT_AT(device, 24, 40, 0x0A0A0A * 9, "texel 9");

    OK(IDirect3DTexture9_GetSurfaceLevel(memory, 0, &from));
    OK(IDirect3DTexture9_GetSurfaceLevel(gpu, 0, &to));
    OK(IDirect3DDevice9_UpdateSurface(device, from, &part, to, &at));
    paste(gpu);
    EXPECT_AT(device, 40, 8, 0x0A0A0A * 5, "texel 5 moved to 2");
    EXPECT_AT(device, 56, 24, 0x0A0A0A * 10, "texel 10 moved to 7");
    EXPECT_AT(device, 24, 8, 0x0A0A0A * 1, "texel 1 in its place");
    IDirect3DSurface9_Release(from);
    IDirect3DSurface9_Release(to);
    IDirect3DTexture9_Release(memory);
    IDirect3DTexture9_Release(gpu);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_POINT));
    to_texture();
    several();
    update();
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("render_target");
}
