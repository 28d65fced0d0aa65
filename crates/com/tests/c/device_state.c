/* Set and Get of a device, table by table: defaults, what is kept, what is refused. */
#include "common.h"

static IDirect3DDevice9 *device;

#define NOWHERE ((void *)0xDEADBEEF)
#define COUNT(table) (sizeof table / sizeof *table)

static void render_states(void)
{
    static const struct { D3DRENDERSTATETYPE state; DWORD value; } defaults[] = {
        { D3DRS_ZENABLE, D3DZB_TRUE }, { D3DRS_FILLMODE, D3DFILL_SOLID }, { D3DRS_SHADEMODE, D3DSHADE_GOURAUD },
        { D3DRS_ZWRITEENABLE, TRUE }, { D3DRS_ALPHATESTENABLE, FALSE }, { D3DRS_LASTPIXEL, TRUE },
        { D3DRS_SRCBLEND, D3DBLEND_ONE }, { D3DRS_DESTBLEND, D3DBLEND_ZERO }, { D3DRS_CULLMODE, D3DCULL_CCW },
        { D3DRS_ZFUNC, D3DCMP_LESSEQUAL }, { D3DRS_ALPHAREF, 0 }, { D3DRS_ALPHAFUNC, D3DCMP_ALWAYS },
        { D3DRS_STENCILMASK, 0xFFFFFFFF }, { D3DRS_TEXTUREFACTOR, 0xFFFFFFFF }, { D3DRS_CLIPPING, TRUE },
        { D3DRS_LIGHTING, TRUE }, { D3DRS_COLORVERTEX, TRUE }, { D3DRS_LOCALVIEWER, TRUE },
        { D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1 }, { D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2 },
        { D3DRS_AMBIENTMATERIALSOURCE, D3DMCS_MATERIAL }, { D3DRS_EMISSIVEMATERIALSOURCE, D3DMCS_MATERIAL },
        { D3DRS_MULTISAMPLEANTIALIAS, TRUE }, { D3DRS_MULTISAMPLEMASK, 0xFFFFFFFF },
        { D3DRS_DEBUGMONITORTOKEN, 0xBAADCAFE }, { D3DRS_COLORWRITEENABLE, 15 }, { D3DRS_BLENDOP, D3DBLENDOP_ADD },
        { D3DRS_POSITIONDEGREE, D3DDEGREE_CUBIC }, { D3DRS_NORMALDEGREE, D3DDEGREE_LINEAR },
        { D3DRS_COLORWRITEENABLE3, 15 }, { D3DRS_BLENDFACTOR, 0xFFFFFFFF }, { D3DRS_SRCBLENDALPHA, D3DBLEND_ONE },
        { D3DRS_DESTBLENDALPHA, D3DBLEND_ZERO }, { D3DRS_BLENDOPALPHA, D3DBLENDOP_ADD },
    };
    D3DCAPS9 caps;
    float most;
    DWORD value;
    UINT i;

    for (i = 0; i < COUNT(defaults); i++) {
        OK(IDirect3DDevice9_GetRenderState(device, defaults[i].state, &value));
        CHECK(value == defaults[i].value, "state %u begins with %#x", defaults[i].state, (unsigned)value);
    }
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_POINTSIZE_MAX, &value));
    memcpy(&most, &value, sizeof most);
    CHECK(most == caps.MaxPointSize, "points of %g at most, the device can draw %g", most, caps.MaxPointSize);

    /* Numbers are not judged: those between the first and the last state are kept. */
    for (i = D3DRS_ZENABLE; i <= D3DRS_BLENDOPALPHA; i++) {
        DWORD before = 0;
        OK(IDirect3DDevice9_GetRenderState(device, (D3DRENDERSTATETYPE)i, &before));
        OK(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)i, 0x12345678));
        OK(IDirect3DDevice9_GetRenderState(device, (D3DRENDERSTATETYPE)i, &value));
        CHECK(value == 0x12345678, "state %u is %#x", i, (unsigned)value);
        OK(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)i, before));
    }
    for (i = 210; i < 250; i++) {
        OK(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)i, 5));
        OK(IDirect3DDevice9_GetRenderState(device, (D3DRENDERSTATETYPE)i, &value));
        CHECK(value == 0, "state %u is %#x", i, (unsigned)value);
    }
}

static void stages_and_samplers(void)
{
    static const D3DTEXTURESTAGESTATETYPE stage_states[] = {
        D3DTSS_COLOROP, D3DTSS_COLORARG1, D3DTSS_COLORARG2, D3DTSS_ALPHAOP, D3DTSS_ALPHAARG1, D3DTSS_ALPHAARG2,
        D3DTSS_BUMPENVMAT00, D3DTSS_BUMPENVMAT01, D3DTSS_BUMPENVMAT10, D3DTSS_BUMPENVMAT11, D3DTSS_TEXCOORDINDEX,
        D3DTSS_BUMPENVLSCALE, D3DTSS_BUMPENVLOFFSET, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTSS_COLORARG0,
        D3DTSS_ALPHAARG0, D3DTSS_RESULTARG, D3DTSS_CONSTANT,
    };
    static const DWORD samplers[] = { 0, 15, D3DVERTEXTEXTURESAMPLER0, D3DVERTEXTEXTURESAMPLER3 };
    static const DWORD none[] = { 20, 255, 261, 0xFFFF };
    IDirect3DTexture9 *texture = NULL;
    IDirect3DBaseTexture9 *found;
    DWORD value, stage;
    UINT i, j;

    for (stage = 0; stage < 8; stage++) {
        OK(IDirect3DDevice9_GetTextureStageState(device, stage, D3DTSS_COLOROP, &value));
        CHECK(value == (stage ? D3DTOP_DISABLE : D3DTOP_MODULATE), "COLOROP %u is %u", (unsigned)stage, (unsigned)value);
        OK(IDirect3DDevice9_GetTextureStageState(device, stage, D3DTSS_ALPHAOP, &value));
        CHECK(value == (stage ? D3DTOP_DISABLE : D3DTOP_SELECTARG1), "ALPHAOP %u is %u", (unsigned)stage, (unsigned)value);
        OK(IDirect3DDevice9_GetTextureStageState(device, stage, D3DTSS_TEXCOORDINDEX, &value));
        CHECK(value == stage, "TEXCOORDINDEX %u is %u", (unsigned)stage, (unsigned)value);
        for (i = 0; i < COUNT(stage_states); i++) {
            DWORD before;
            OK(IDirect3DDevice9_GetTextureStageState(device, stage, stage_states[i], &before));
            OK(IDirect3DDevice9_SetTextureStageState(device, stage, stage_states[i], 77));
            OK(IDirect3DDevice9_GetTextureStageState(device, stage, stage_states[i], &value));
            CHECK(value == 77, "stage %u state %u is %u", (unsigned)stage, stage_states[i], (unsigned)value);
            OK(IDirect3DDevice9_SetTextureStageState(device, stage, stage_states[i], before));
        }
    }
    /* What is none is ignored. */
    OK(IDirect3DDevice9_SetTextureStageState(device, 8, D3DTSS_COLOROP, 1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, (D3DTEXTURESTAGESTATETYPE)33, 1));

    for (i = 0; i < COUNT(samplers); i++)
        for (j = D3DSAMP_ADDRESSU; j <= D3DSAMP_DMAPOFFSET; j++) {
            DWORD before;
            OK(IDirect3DDevice9_GetSamplerState(device, samplers[i], (D3DSAMPLERSTATETYPE)j, &before));
            OK(IDirect3DDevice9_SetSamplerState(device, samplers[i], (D3DSAMPLERSTATETYPE)j, 3));
            OK(IDirect3DDevice9_GetSamplerState(device, samplers[i], (D3DSAMPLERSTATETYPE)j, &value));
            CHECK(value == 3, "sampler %u state %u is %u", (unsigned)samplers[i], j, (unsigned)value);
            OK(IDirect3DDevice9_SetSamplerState(device, samplers[i], (D3DSAMPLERSTATETYPE)j, before));
        }

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    for (i = 0; i < COUNT(none); i++) {
        OK(IDirect3DDevice9_SetSamplerState(device, none[i], D3DSAMP_ADDRESSU, 3));
        OK(IDirect3DDevice9_GetSamplerState(device, none[i], D3DSAMP_ADDRESSU, &value));
        CHECK(value == 0, "sampler %u is set to %u", (unsigned)none[i], (unsigned)value);
        OK(IDirect3DDevice9_SetTexture(device, none[i], (IDirect3DBaseTexture9 *)texture));
        found = NOWHERE;
        OK(IDirect3DDevice9_GetTexture(device, none[i], &found));
        CHECK(found == NULL, "sampler %u has a texture", (unsigned)none[i]);
    }
    CHECK(IDirect3DTexture9_Release(texture) == 0, "a sampler that there is not holds the texture");
}

static void fixed_function(void)
{
    static const D3DTRANSFORMSTATETYPE places[] = {
        D3DTS_VIEW, D3DTS_PROJECTION, D3DTS_TEXTURE0, D3DTS_TEXTURE7, D3DTS_WORLD, D3DTS_WORLDMATRIX(1),
        D3DTS_WORLDMATRIX(255),
    };
    D3DMATRIX matrix;
    D3DLIGHT9 light;
    D3DMATERIAL9 material, other;
    D3DCAPS9 caps;
    float plane[4] = { 1, 2, 3, 4 }, read[4];
    BOOL on;
    UINT i;

    for (i = 0; i < COUNT(places); i++) {
        memset(&matrix, 0, sizeof matrix);
        OK(IDirect3DDevice9_GetTransform(device, places[i], &matrix));
        CHECK(matrix._11 == 1 && matrix._44 == 1 && matrix._12 == 0, "transform %u begins as the identity", places[i]);
        matrix._12 = 3;
        OK(IDirect3DDevice9_SetTransform(device, places[i], &matrix));
        OK(IDirect3DDevice9_MultiplyTransform(device, places[i], &matrix));
        OK(IDirect3DDevice9_GetTransform(device, places[i], &matrix));
        CHECK(matrix._12 == 6, "the product has %g", matrix._12);
        matrix._12 = 0;
        OK(IDirect3DDevice9_SetTransform(device, places[i], &matrix));
    }

    INVALID(IDirect3DDevice9_GetLight(device, 5, &light));
    INVALID(IDirect3DDevice9_GetLightEnable(device, 5, &on));
    OK(IDirect3DDevice9_LightEnable(device, 5, TRUE));
    OK(IDirect3DDevice9_GetLightEnable(device, 5, &on));
    CHECK(on == 128, "enabled is %d", on);
    OK(IDirect3DDevice9_GetLight(device, 5, &light));
    CHECK(light.Type == D3DLIGHT_DIRECTIONAL && light.Diffuse.r == 1 && light.Diffuse.a == 0 &&
          light.Direction.z == 1 && light.Ambient.r == 0 && light.Range == 0, "the light that enabling makes");
    OK(IDirect3DDevice9_LightEnable(device, 5, FALSE));
    OK(IDirect3DDevice9_GetLightEnable(device, 5, &on));
    CHECK(on == 0, "disabled is %d", on);
    /* There is no last light. */
    OK(IDirect3DDevice9_SetLight(device, 0x7FFFFFFF, &light));
    light.Type = (D3DLIGHTTYPE)0;
    INVALID(IDirect3DDevice9_SetLight(device, 1, &light));
    light.Type = D3DLIGHT_POINT;
    light.Attenuation1 = -1;
    INVALID(IDirect3DDevice9_SetLight(device, 1, &light));
    light.Type = D3DLIGHT_DIRECTIONAL;
    OK(IDirect3DDevice9_SetLight(device, 1, &light));

    memset(&material, 0x11, sizeof material);
    OK(IDirect3DDevice9_GetMaterial(device, &material));
    memset(&other, 0, sizeof other);
    CHECK(!memcmp(&material, &other, sizeof material), "the material begins with zeros");
    material.Power = 7;
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    OK(IDirect3DDevice9_GetMaterial(device, &other));
    CHECK(!memcmp(&material, &other, sizeof material), "the material");

    /* A plane past the last is the last. */
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    for (i = 0; i < 64; i++) {
        OK(IDirect3DDevice9_GetClipPlane(device, i, read));
        CHECK(!read[0] && !read[1] && !read[2] && !read[3], "plane %u begins with zeros", i);
    }
    for (i = 0; i < 64; i++) {
        plane[0] = (float)i;
        OK(IDirect3DDevice9_SetClipPlane(device, i, plane));
    }
    for (i = 0; i < 64; i++) {
        float expected = i < caps.MaxUserClipPlanes - 1 ? (float)i : 63.0f;
        OK(IDirect3DDevice9_GetClipPlane(device, i, read));
        CHECK(read[0] == expected && read[3] == 4, "plane %u has %g", i, read[0]);
    }
}

static void targets_and_areas(void)
{
    IDirect3DSurface9 *back = NULL, *target = NULL, *plain = NULL, *surface;
    D3DVIEWPORT9 viewport = { 1, 2, 3, 4, 0.25f, 0.75f }, got;
    RECT scissor = { 1, 2, 3, 4 }, rect;
    D3DCAPS9 caps;
    UINT i;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 0, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, NULL));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, caps.NumSimultaneousRTs, NULL));
    for (i = 1; i < caps.NumSimultaneousRTs; i++) {
        surface = NOWHERE;
        HR(D3DERR_NOTFOUND, IDirect3DDevice9_GetRenderTarget(device, i, &surface));
        CHECK(surface == NULL, "target %u leaves a pointer", i);
    }
    surface = NOWHERE;
    INVALID(IDirect3DDevice9_GetRenderTarget(device, caps.NumSimultaneousRTs, &surface));
    CHECK(surface == NOWHERE, "a target that there is not gives a pointer");

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &plain, NULL));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 0, plain));
    INVALID(IDirect3DDevice9_SetDepthStencilSurface(device, plain));
    IDirect3DSurface9_Release(plain);

    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 16, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &target, NULL));
    OK(IDirect3DDevice9_SetViewport(device, &viewport));
    OK(IDirect3DDevice9_SetScissorRect(device, &scissor));
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, target));
    OK(IDirect3DDevice9_GetViewport(device, &got));
    CHECK(!memcmp(&got, &viewport, sizeof got), "target 1 changes the viewport");
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_GetViewport(device, &got));
    OK(IDirect3DDevice9_GetScissorRect(device, &rect));
    CHECK(got.X == 0 && got.Y == 0 && got.Width == 32 && got.Height == 16 && got.MinZ == 0 && got.MaxZ == 1,
          "the viewport of target 0");
    CHECK(rect.left == 0 && rect.top == 0 && rect.right == 32 && rect.bottom == 16, "the scissor rectangle of target 0");
    /* The same target again resets them too. */
    OK(IDirect3DDevice9_SetViewport(device, &viewport));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_GetViewport(device, &got));
    CHECK(got.Width == 32, "the same target leaves the viewport");
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    CHECK(IDirect3DSurface9_Release(target) == 0, "the device holds a target it does not draw to");
    IDirect3DSurface9_Release(back);
}

static void streams(void)
{
    IDirect3DVertexBuffer9 *buffer = NULL, *found;
    IDirect3DIndexBuffer9 *indices = NULL, *index_found;
    static const struct { UINT stream, setting; HRESULT code; } table[] = {
        { 0, 0, D3DERR_INVALIDCALL }, { 0, 1, D3D_OK }, { 0, 2, D3D_OK }, { 1, 0, D3DERR_INVALIDCALL },
        { 0, D3DSTREAMSOURCE_INDEXEDDATA, D3D_OK }, { 0, D3DSTREAMSOURCE_INDEXEDDATA | 4, D3D_OK },
        { 0, D3DSTREAMSOURCE_INSTANCEDATA, D3DERR_INVALIDCALL },
        { 0, D3DSTREAMSOURCE_INSTANCEDATA | 1u, D3DERR_INVALIDCALL },
        { 1, D3DSTREAMSOURCE_INSTANCEDATA, D3D_OK }, { 1, D3DSTREAMSOURCE_INSTANCEDATA | 3u, D3D_OK },
        { 1, D3DSTREAMSOURCE_INSTANCEDATA | D3DSTREAMSOURCE_INDEXEDDATA | 1u, D3DERR_INVALIDCALL },
        { 0, 1, D3D_OK }, { 1, 1, D3D_OK },
    };
    float quad[16] = { 0 };
    WORD list[6] = { 0, 1, 2, 2, 1, 3 };
    UINT offset, stride, setting, i;
    void *data;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 512, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 32, 16));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &found, &offset, &stride));
    CHECK(found == NULL && offset == 32 && stride == 16, "no buffer leaves offset %u and stride %u", offset, stride);
    OK(IDirect3DDevice9_SetStreamSource(device, 15, buffer, 0, 2000));
    OK(IDirect3DDevice9_SetStreamSource(device, 15, NULL, 0, 0));
    INVALID(IDirect3DDevice9_SetStreamSource(device, 16, buffer, 0, 16));
    for (i = 0; i < COUNT(table); i++) {
        HR(table[i].code, IDirect3DDevice9_SetStreamSourceFreq(device, table[i].stream, table[i].setting));
        OK(IDirect3DDevice9_GetStreamSourceFreq(device, table[i].stream, &setting));
        if (SUCCEEDED(table[i].code))
            CHECK(setting == table[i].setting, "the frequency is %#x", setting);
    }

    /* Draws from the program's memory leave stream 0 and the indices empty. */
    OK(IDirect3DDevice9_CreateIndexBuffer(device, 12, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, &indices, NULL));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 12));
    OK(IDirect3DDevice9_SetIndices(device, indices));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    /* More than the buffer has. */
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 200));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 400, 1));
    /* A locked buffer may be drawn with. */
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, 0));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, quad, 12));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &found, &offset, &stride));
    CHECK(found == NULL && offset == 0 && stride == 0, "stream 0 after DrawPrimitiveUP");
    OK(IDirect3DDevice9_GetIndices(device, &index_found));
    CHECK(index_found == indices, "DrawPrimitiveUP takes the indices");
    IDirect3DIndexBuffer9_Release(indices);
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 12));
    OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 4, 2, list, D3DFMT_INDEX16, quad, 12));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &found, &offset, &stride));
    CHECK(found == NULL, "stream 0 after DrawIndexedPrimitiveUP");
    OK(IDirect3DDevice9_GetIndices(device, &index_found));
    CHECK(index_found == NULL, "indices after DrawIndexedPrimitiveUP");
    INVALID(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, NULL));
    INVALID(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1));
    OK(IDirect3DDevice9_EndScene(device));
    CHECK(IDirect3DVertexBuffer9_Release(buffer) == 0, "the vertex buffer");
    CHECK(IDirect3DIndexBuffer9_Release(indices) == 0, "the index buffer");
}

static void buffers(void)
{
    static const DWORD flags[] = {
        0, D3DLOCK_READONLY, D3DLOCK_DISCARD, D3DLOCK_NOOVERWRITE, D3DLOCK_NOOVERWRITE | D3DLOCK_DISCARD,
        D3DLOCK_NOOVERWRITE | D3DLOCK_READONLY, D3DLOCK_READONLY | D3DLOCK_DISCARD, 0xDEADBEEF,
    };
    IDirect3DVertexBuffer9 *buffer = NULL;
    IDirect3DTexture9 *texture = NOWHERE;
    char *whole, *part;
    void *data;
    UINT i, usage;

    for (usage = 0; usage < 2; usage++) {
        OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, usage ? D3DUSAGE_DYNAMIC : 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
        for (i = 0; i < COUNT(flags); i++) {
            OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, flags[i]));
            OK(IDirect3DVertexBuffer9_Unlock(buffer));
        }
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&whole, 0));
        OK(IDirect3DVertexBuffer9_Lock(buffer, 16, 16, (void **)&part, 0));
        CHECK(part == whole + 16, "two locks see different memory");
        CHECK(((size_t)whole & 15) == 0, "memory at %p", (void *)whole);
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        CHECK(IDirect3DVertexBuffer9_Release(buffer) == 0, "the vertex buffer");
    }
    /* A buffer need not hold a vertex of its FVF. */
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 1, 0, D3DFVF_XYZ, D3DPOOL_DEFAULT, &buffer, NULL));
    IDirect3DVertexBuffer9_Release(buffer);
    INVALID(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT, &texture, NULL));
    CHECK(texture == NULL, "a failed CreateTexture leaves a pointer");
}

static void validation(void)
{
    IDirect3DSurface9 *small = NULL, *depth = NULL;
    DWORD passes = 9, none;

    OK(IDirect3DDevice9_ValidateDevice(device, &passes));
    CHECK(passes == 1, "%u passes", (unsigned)passes);
    for (none = D3DSAMP_MAGFILTER; none <= D3DSAMP_MINFILTER; none++) {
        OK(IDirect3DDevice9_SetSamplerState(device, 0, (D3DSAMPLERSTATETYPE)none, D3DTEXF_NONE));
        passes = 9;
        HR(D3DERR_UNSUPPORTEDTEXTUREFILTER, IDirect3DDevice9_ValidateDevice(device, &passes));
        CHECK(passes == 9, "a device that is not valid needs %u passes", (unsigned)passes);
        OK(IDirect3DDevice9_SetSamplerState(device, 0, (D3DSAMPLERSTATETYPE)none, D3DTEXF_POINT));
    }
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, 8, 8, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, &small, NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, small));
    HR(D3DERR_CONFLICTINGRENDERSTATE, IDirect3DDevice9_ValidateDevice(device, &passes));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZWRITEENABLE, FALSE));
    OK(IDirect3DDevice9_ValidateDevice(device, &passes));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZWRITEENABLE, TRUE));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    IDirect3DSurface9_Release(small);
    IDirect3DSurface9_Release(depth);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    render_states();
    stages_and_samplers();
    fixed_function();
    targets_and_areas();
    streams();
    buffers();
    validation();
    CHECK(IDirect3DDevice9_Release(device) == 0, "something still holds the device");
    CHECK(IDirect3D9_Release(d3d) == 0, "something still holds Direct3D");
    return finish("device_state");
}
