/* State blocks: recorded, and of all state, pixel state and vertex state. */
#include "common.h"

struct vertex {
    float x, y, z, rhw;
};

static IDirect3DDevice9 *device;

static DWORD render_state(D3DRENDERSTATETYPE state)
{
    DWORD value = 0xDEADBEEF;
    OK(IDirect3DDevice9_GetRenderState(device, state, &value));
    return value;
}

static DWORD stage_state(DWORD stage, D3DTEXTURESTAGESTATETYPE state)
{
    DWORD value = 0xDEADBEEF;
    OK(IDirect3DDevice9_GetTextureStageState(device, stage, state, &value));
    return value;
}

static DWORD sampler_state(DWORD sampler, D3DSAMPLERSTATETYPE state)
{
    DWORD value = 0xDEADBEEF;
    OK(IDirect3DDevice9_GetSamplerState(device, sampler, state, &value));
    return value;
}

static void draw(void)
{
    struct vertex quad[4] = {
        { -0.5f, -0.5f, 0.5f, 1 }, { EDGE - 0.5f, -0.5f, 0.5f, 1 },
        { -0.5f, EDGE - 0.5f, 0.5f, 1 }, { EDGE - 0.5f, EDGE - 0.5f, 0.5f, 1 },
    };
    draw_strip(device, D3DFVF_XYZRHW, quad, sizeof quad[0]);
}

/* What is set between Begin and End is recorded and not in force. */
static void recorded(void)
{
    IDirect3DStateBlock9 *block = NULL, *other = NULL;
    IDirect3DTexture9 *texture, *found = NULL;
    static const DWORD texel[1] = { 0xFFFF8000 };
    DWORD fvf = 0;
    float constant[4] = { 1, 2, 3, 4 }, got[4];
    D3DMATERIAL9 material, back;

    texture = make_texture(device, 1, 1, texel);
    memset(&material, 0, sizeof material);
    material.Power = 12;
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 0xFF00FF00));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TFACTOR));

    OK(IDirect3DDevice9_BeginStateBlock(device));
    INVALID(IDirect3DDevice9_BeginStateBlock(device));
    INVALID(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &other));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 0xFFFF0000));
    OK(IDirect3DDevice9_SetTexture(device, 3, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_NORMAL));
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 5, constant, 1));
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    OK(IDirect3DDevice9_SetSamplerState(device, 2, D3DSAMP_ADDRESSU, D3DTADDRESS_BORDER));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    INVALID(IDirect3DDevice9_EndStateBlock(device, &other));

    CHECK(render_state(D3DRS_TEXTUREFACTOR) == 0xFF00FF00, "recording changed the state");
    draw();
    EXPECT(device, 0x00FF00, "before Apply");
    OK(IDirect3DDevice9_GetTexture(device, 3, (IDirect3DBaseTexture9 **)&found));
    CHECK(found == NULL, "recording set the texture");

    /* The block holds the texture: the program's reference may go. */
    CHECK(IDirect3DTexture9_Release(texture) == 0, "the texture is still referenced");
    OK(IDirect3DStateBlock9_Apply(block));
    CHECK(render_state(D3DRS_TEXTUREFACTOR) == 0xFFFF0000, "Apply did not set the state");
    CHECK(sampler_state(2, D3DSAMP_ADDRESSU) == D3DTADDRESS_BORDER, "Apply did not set the sampler");
    OK(IDirect3DDevice9_GetTexture(device, 3, (IDirect3DBaseTexture9 **)&found));
    CHECK(found == texture, "Apply did not set the texture");
    if (found)
        CHECK(IDirect3DTexture9_Release(found) == 0, "GetTexture gave more than one reference");
    OK(IDirect3DDevice9_GetFVF(device, &fvf));
    CHECK(fvf == (D3DFVF_XYZ | D3DFVF_NORMAL), "Apply did not set the FVF");
    OK(IDirect3DDevice9_GetVertexShaderConstantF(device, 5, got, 1));
    CHECK(memcmp(constant, got, sizeof got) == 0, "Apply did not set the constant");
    OK(IDirect3DDevice9_GetMaterial(device, &back));
    CHECK(back.Power == 12, "Apply did not set the material");
    draw();
    EXPECT(device, 0xFF0000, "after Apply");

    /* Capture takes the present values of what the block has, and only of that. */
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 0xFF0000FF));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_FOGCOLOR, 1));
    OK(IDirect3DDevice9_SetTexture(device, 3, NULL));
    OK(IDirect3DStateBlock9_Capture(block));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_FOGCOLOR, 2));
    OK(IDirect3DStateBlock9_Apply(block));
    CHECK(render_state(D3DRS_TEXTUREFACTOR) == 0xFF0000FF, "Capture did not take the state");
    CHECK(render_state(D3DRS_FOGCOLOR) == 2, "Apply set what the block does not have");
    draw();
    EXPECT(device, 0x0000FF, "after Capture and Apply");
    CHECK(IDirect3DStateBlock9_Release(block) == 0, "the block is still referenced");
}

/* One state of each side, and what each kind of block brings back. */
static void kinds(void)
{
    static const struct {
        D3DSTATEBLOCKTYPE type;
        int pixel, vertex, texture;
    } cases[] = {
        { D3DSBT_ALL, 1, 1, 1 },
        { D3DSBT_PIXELSTATE, 1, 0, 0 },
        { D3DSBT_VERTEXSTATE, 0, 1, 0 },
    };
    static const DWORD texel[1] = { 0xFFFFFFFF };
    IDirect3DTexture9 *texture = make_texture(device, 1, 1, texel);
    unsigned i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        IDirect3DStateBlock9 *block = NULL;
        IDirect3DBaseTexture9 *found = NULL;
        D3DMATRIX matrix, got;
        memset(&matrix, 0, sizeof matrix);
        matrix._11 = matrix._22 = matrix._33 = matrix._44 = 3;

        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHAREF, 11));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_AMBIENT, 22));
        OK(IDirect3DDevice9_SetTextureStageState(device, 1, D3DTSS_COLORARG2, D3DTA_TFACTOR));
        OK(IDirect3DDevice9_SetTextureStageState(device, 1, D3DTSS_TEXCOORDINDEX, 5));
        OK(IDirect3DDevice9_SetTexture(device, 1, (IDirect3DBaseTexture9 *)texture));
        OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLD, &matrix));
        OK(IDirect3DDevice9_CreateStateBlock(device, cases[i].type, &block));

        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHAREF, 0));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_AMBIENT, 0));
        OK(IDirect3DDevice9_SetTextureStageState(device, 1, D3DTSS_COLORARG2, D3DTA_DIFFUSE));
        OK(IDirect3DDevice9_SetTextureStageState(device, 1, D3DTSS_TEXCOORDINDEX, 1));
        OK(IDirect3DDevice9_SetTexture(device, 1, NULL));
        matrix._11 = 7;
        OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLD, &matrix));

        OK(IDirect3DStateBlock9_Apply(block));
        CHECK(render_state(D3DRS_ALPHAREF) == (cases[i].pixel ? 11 : 0), "kind %u: ALPHAREF", i);
        CHECK(render_state(D3DRS_AMBIENT) == (cases[i].vertex ? 22 : 0), "kind %u: AMBIENT", i);
        CHECK(stage_state(1, D3DTSS_COLORARG2) == (cases[i].pixel ? D3DTA_TFACTOR : D3DTA_DIFFUSE),
              "kind %u: COLORARG2", i);
        CHECK(stage_state(1, D3DTSS_TEXCOORDINDEX) == 5, "kind %u: TEXCOORDINDEX is of both sides", i);
        OK(IDirect3DDevice9_GetTexture(device, 1, &found));
        CHECK((found != NULL) == cases[i].texture, "kind %u: textures", i);
        if (found)
            IDirect3DBaseTexture9_Release(found);
        OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLD, &got));
        CHECK(got._11 == (cases[i].texture ? 3 : 7), "kind %u: transforms", i);
        OK(IDirect3DDevice9_SetTexture(device, 1, NULL));
        CHECK(IDirect3DStateBlock9_Release(block) == 0, "kind %u: the block is still referenced", i);
    }
    INVALID(IDirect3DDevice9_CreateStateBlock(device, (D3DSTATEBLOCKTYPE)0, &(IDirect3DStateBlock9 *){ NULL }));
    INVALID(IDirect3DDevice9_CreateStateBlock(device, (D3DSTATEBLOCKTYPE)4, &(IDirect3DStateBlock9 *){ NULL }));
    CHECK(IDirect3DTexture9_Release(texture) == 0, "the texture is still referenced");
}

/* A light and its switch are one item: a block that records one of them holds the other as new. */
static void lights_and_switches(void)
{
    IDirect3DStateBlock9 *light_alone, *switch_alone;
    D3DLIGHT9 light, got;
    BOOL on;
    memset(&light, 0, sizeof light);
    light.Type = D3DLIGHT_POINT;
    light.Range = 5;
    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_SetLight(device, 6, &light));
    OK(IDirect3DDevice9_EndStateBlock(device, &light_alone));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_LightEnable(device, 6, TRUE));
    OK(IDirect3DDevice9_EndStateBlock(device, &switch_alone));

    light.Range = 7;
    OK(IDirect3DDevice9_SetLight(device, 6, &light));
    OK(IDirect3DDevice9_LightEnable(device, 6, TRUE));
    OK(IDirect3DStateBlock9_Apply(light_alone));
    OK(IDirect3DDevice9_GetLight(device, 6, &got));
    OK(IDirect3DDevice9_GetLightEnable(device, 6, &on));
    CHECK(got.Range == 5 && !on, "a recorded light: range %g, on %d", got.Range, on);
    OK(IDirect3DStateBlock9_Apply(switch_alone));
    OK(IDirect3DDevice9_GetLight(device, 6, &got));
    OK(IDirect3DDevice9_GetLightEnable(device, 6, &on));
    CHECK(got.Type == D3DLIGHT_DIRECTIONAL && got.Range == 0 && on, "a recorded switch: type %d, range %g, on %d",
          got.Type, got.Range, on);
    /* Captured with the light that the device has. */
    OK(IDirect3DDevice9_SetLight(device, 6, &light));
    OK(IDirect3DStateBlock9_Capture(switch_alone));
    OK(IDirect3DStateBlock9_Apply(light_alone));
    OK(IDirect3DStateBlock9_Apply(switch_alone));
    OK(IDirect3DDevice9_GetLight(device, 6, &got));
    OK(IDirect3DDevice9_GetLightEnable(device, 6, &on));
    CHECK(got.Range == 7 && on, "a captured switch: range %g, on %d", got.Range, on);
    OK(IDirect3DDevice9_LightEnable(device, 6, FALSE));
    IDirect3DStateBlock9_Release(light_alone);
    IDirect3DStateBlock9_Release(switch_alone);
}

/* A stream that was empty is empty again, with the offset and stride that it had. */
static void empty_streams(void)
{
    IDirect3DVertexBuffer9 *buffer, *bound;
    IDirect3DStateBlock9 *block;
    UINT offset, stride;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &block));
    OK(IDirect3DDevice9_SetStreamSource(device, 5, buffer, 8, 16));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetStreamSource(device, 5, &bound, &offset, &stride));
    CHECK(!bound && offset == 0 && stride == 0, "stream 5: %p, %u, %u", (void *)bound, offset, stride);
    IDirect3DStateBlock9_Release(block);
    CHECK(IDirect3DVertexBuffer9_Release(buffer) == 0, "the buffer is still referenced");
}

/* A surface on two targets is drawn into as the first. */
static void a_target_twice(void)
{
    IDirect3DSurface9 *surface;
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                           &surface, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, surface));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TFACTOR));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 0xFF40C020));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    draw();
    EXPECT(device, 0x40C020, "a surface on two targets");
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, NULL));
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    IDirect3DSurface9_Release(surface);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    recorded();
    kinds();
    lights_and_switches();
    empty_streams();
    a_target_twice();
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("state_blocks");
}
