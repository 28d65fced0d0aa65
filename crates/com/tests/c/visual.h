/* What the programs of the programmable pipeline share. */
#ifndef VISUAL_H
#define VISUAL_H

#include "common.h"

static IDirect3D9 *d3d;
static IDirect3DDevice9 *device;

/* The corners of the target as a strip: positions only. */
static const float corners[12] = { -1, 1, 0.5f, 1, 1, 0.5f, -1, -1, 0.5f, 1, -1, 0.5f };

static inline void start(void)
{
    d3d = make_d3d();
    device = make_device(d3d);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
}

static inline int stop(const char *name)
{
    ULONG left = IDirect3DDevice9_Release(device);
    CHECK(left == 0, "%lu references of the device are left", (unsigned long)left);
    IDirect3D9_Release(d3d);
    return finish(name);
}

static inline void state(D3DRENDERSTATETYPE name, DWORD value)
{
    OK(IDirect3DDevice9_SetRenderState(device, name, value));
}

static inline DWORD float_bits(float value)
{
    DWORD bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void use_vs(const DWORD *tokens)
{
    IDirect3DVertexShader9 *shader = NULL;
    if (tokens)
        OK(IDirect3DDevice9_CreateVertexShader(device, tokens, &shader));
    OK(IDirect3DDevice9_SetVertexShader(device, shader));
    if (shader)
        IDirect3DVertexShader9_Release(shader);
}

static inline void use_ps(const DWORD *tokens)
{
    IDirect3DPixelShader9 *shader = NULL;
    if (tokens)
        OK(IDirect3DDevice9_CreatePixelShader(device, tokens, &shader));
    OK(IDirect3DDevice9_SetPixelShader(device, shader));
    if (shader)
        IDirect3DPixelShader9_Release(shader);
}

static inline void use_declaration(const D3DVERTEXELEMENT9 *elements)
{
    IDirect3DVertexDeclaration9 *declaration = NULL;
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    if (declaration)
        IDirect3DVertexDeclaration9_Release(declaration);
}

static inline void vs_constant(UINT reg, float x, float y, float z, float w)
{
    float v[4] = { x, y, z, w };
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, reg, v, 1));
}

static inline void ps_constant(UINT reg, float x, float y, float z, float w)
{
    float v[4] = { x, y, z, w };
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, reg, v, 1));
}

static inline void clear_target(DWORD color)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, color, 1.0f, 0));
}

/* A vertex buffer with these bytes. */
static inline IDirect3DVertexBuffer9 *buffer(const void *bytes, UINT size)
{
    IDirect3DVertexBuffer9 *made = NULL;
    void *to = NULL;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, size, 0, 0, D3DPOOL_MANAGED, &made, NULL));
    OK(IDirect3DVertexBuffer9_Lock(made, 0, 0, &to, 0));
    memcpy(to, bytes, size);
    OK(IDirect3DVertexBuffer9_Unlock(made));
    return made;
}

static inline void stream(UINT index, IDirect3DVertexBuffer9 *from, UINT offset, UINT stride)
{
    OK(IDirect3DDevice9_SetStreamSource(device, index, from, offset, stride));
}

/* The strip of two triangles in the streams, over a cleared target. */
static inline void draw_streams(void)
{
    clear_target(0);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2));
    OK(IDirect3DDevice9_EndScene(device));
}

static inline void draw_up(D3DPRIMITIVETYPE primitive, UINT count, const void *vertices, UINT stride)
{
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, primitive, count, vertices, stride));
    OK(IDirect3DDevice9_EndScene(device));
}

/* A render-target texture of one level, and its surface. */
static inline IDirect3DSurface9 *make_target(UINT width, UINT height, D3DFORMAT format)
{
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *surface = NULL;
    OK(IDirect3DDevice9_CreateTexture(device, width, height, 1, D3DUSAGE_RENDERTARGET, format, D3DPOOL_DEFAULT,
                                      &texture, NULL));
    if (!texture)
        return NULL;
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    IDirect3DTexture9_Release(texture);
    return surface;
}

static inline void target(DWORD index, IDirect3DSurface9 *surface)
{
    OK(IDirect3DDevice9_SetRenderTarget(device, index, surface));
}

static inline void back_buffer_target(void)
{
    IDirect3DSurface9 *surface = NULL;
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    target(0, surface);
    IDirect3DSurface9_Release(surface);
}

/* The bytes of a pixel of a surface of any format. */
static inline void read_bytes(IDirect3DSurface9 *surface, int x, int y, void *out, int bytes)
{
    D3DSURFACE_DESC desc;
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT locked;
    memset(out, 0xEE, bytes);
    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, desc.Width, desc.Height, desc.Format,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    if (!copy)
        return;
    OK(IDirect3DDevice9_GetRenderTargetData(device, surface, copy));
    if (SUCCEEDED(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY))) {
        memcpy(out, (char *)locked.pBits + y * locked.Pitch + x * bytes, bytes);
        IDirect3DSurface9_UnlockRect(copy);
    }
    IDirect3DSurface9_Release(copy);
}

/* All four bytes of a pixel, each off by one at most. */
#define EXPECT_ARGB(surface, x, y, argb, what) \
    do { \
        DWORD got_ = surface_pixel(device, surface, x, y); \
        CHECK(close_to(got_, (argb), 1), "%s: pixel (%d, %d) is %08x, not %08x", what, x, y, (unsigned)got_, \
              (unsigned)(argb)); \
    } while (0)

#define EXPECT_FLOATS(surface, x, y, a, b, c, d, what) \
    do { \
        float got_[4], want_[4] = { (a), (b), (c), (d) }; \
        int i_; \
        read_bytes(surface, x, y, got_, sizeof got_); \
        for (i_ = 0; i_ < 4; i_++) \
            CHECK(fabsf(got_[i_] - want_[i_]) <= 1e-5f * (1 + fabsf(want_[i_])), "%s: %c is %g, not %g", what, \
                  "xyzw"[i_], got_[i_], want_[i_]); \
    } while (0)

#endif
