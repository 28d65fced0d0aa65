/* The fixed pipeline at its edges: what the documentation states and programs rely on, and what
 * Direct3D does where it is silent. */
#include "common.h"

#define STATE(state, value) OK(IDirect3DDevice9_SetRenderState(device, state, value))
#define STAGE(n, state, value) OK(IDirect3DDevice9_SetTextureStageState(device, n, state, value))

static IDirect3DDevice9 *device;
static IDirect3DStateBlock9 *initial;

static DWORD number(float value)
{
    DWORD bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void reset(void)
{
    OK(IDirect3DStateBlock9_Apply(initial));
    OK(IDirect3DDevice9_LightEnable(device, 0, FALSE));
}

static D3DMATRIX identity(void)
{
    D3DMATRIX m;
    memset(&m, 0, sizeof m);
    m._11 = m._22 = m._33 = m._44 = 1;
    return m;
}

struct colored { float x, y, z; DWORD diffuse, specular; float u, v; };
struct pixels { float x, y, z, rhw; DWORD diffuse; };

enum {
    COLORED = D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1,
    PIXELS = D3DFVF_XYZRHW | D3DFVF_DIFFUSE
};

/* All of the target at one depth in one colour, at one texture coordinate. */
static void draw_colored(DWORD diffuse, DWORD specular, float u, float v)
{
    struct colored q[4];
    int i;
    for (i = 0; i < 4; i++) {
        struct colored c = { i & 1 ? 1 : -1, i & 2 ? -1 : 1, 0.5f, diffuse, specular, u, v };
        q[i] = c;
    }
    STATE(D3DRS_LIGHTING, FALSE);
    draw_strip(device, COLORED, q, sizeof *q);
}

static void draw_pixels(float z, DWORD diffuse)
{
    struct pixels q[4];
    int i;
    for (i = 0; i < 4; i++) {
        struct pixels p = { i & 1 ? EDGE : 0, i & 2 ? EDGE : 0, z, 1, diffuse };
        q[i] = p;
    }
    draw_strip(device, PIXELS, q, sizeof *q);
}

static const DWORD UNDRAWN = 0x123456;

/* Alpha after one stage, as the colour of a second that replicates it. */
static void alpha_operations(void)
{
    /* Argument 1 has alpha 0x80, argument 2 0x40. */
    const double a1 = 0x80 / 255.0, a2 = 0x40 / 255.0;
    const struct { DWORD op; double alpha; } table[] = {
        { D3DTOP_MODULATEALPHA_ADDCOLOR, a1 + a1 * a2 },
        { D3DTOP_MODULATECOLOR_ADDALPHA, a1 * a2 + a1 },
        { D3DTOP_MODULATEINVALPHA_ADDCOLOR, (1 - a1) * a2 + a1 },
        { D3DTOP_MODULATEINVCOLOR_ADDALPHA, (1 - a1) * a2 + a1 },
        { D3DTOP_BUMPENVMAP, a1 },
        { D3DTOP_BUMPENVMAPLUMINANCE, a1 },
        { D3DTOP_DISABLE, a1 },
    };
    unsigned i;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        char what[32];
        reset();
        STATE(D3DRS_TEXTUREFACTOR, 0x40000000);
        STAGE(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
        STAGE(0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
        STAGE(0, D3DTSS_ALPHAOP, table[i].op);
        STAGE(0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
        STAGE(0, D3DTSS_ALPHAARG2, D3DTA_TFACTOR);
        STAGE(1, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
        STAGE(1, D3DTSS_COLORARG1, D3DTA_CURRENT | D3DTA_ALPHAREPLICATE);
        draw_colored(0x80FFFFFF, 0, 0, 0);
        sprintf(what, "alpha operation %u", (unsigned)table[i].op);
        EXPECT(device, rgb(table[i].alpha, table[i].alpha, table[i].alpha), what);
    }
}

/* Without a texture the default alpha argument is the diffuse colour's. */
static void no_texture(void)
{
    reset();
    STATE(D3DRS_TEXTUREFACTOR, 0xFF0000FF);
    STAGE(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    STAGE(0, D3DTSS_COLORARG1, D3DTA_TFACTOR);
    STATE(D3DRS_ALPHABLENDENABLE, TRUE);
    STATE(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    STATE(D3DRS_DESTBLEND, D3DBLEND_ZERO);
    draw_colored(0x40FFFFFF, 0, 0, 0);
    EXPECT(device, 0x000040, "alpha argument texture");
    STAGE(0, D3DTSS_ALPHAOP, D3DTOP_MODULATE);
    STAGE(0, D3DTSS_ALPHAARG2, D3DTA_TFACTOR);
    draw_colored(0x40FFFFFF, 0, 0, 0);
    EXPECT(device, 0x000040, "alpha argument texture, modulated");
    STAGE(0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
    draw_colored(0x40FFFFFF, 0, 0, 0);
    EXPECT(device, 0x000040, "alpha argument diffuse, modulated");
}

static void fog(void)
{
    static const DWORD vs_1_1[] = {
        0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, /* dcl_position v0 */
        0x0000001F, 0x8000000A, 0x900F0001,             /* dcl_color v1 */
        0x00000001, 0xC00F0000, 0x90E40000,             /* mov oPos, v0 */
        0x00000001, 0xD00F0000, 0x90E40001, 0x0000FFFF  /* mov oD0, v1 */
    };
    IDirect3DVertexShader9 *shader = NULL;
    const struct { float start, end; DWORD vertex, table; } ranges[] = {
        /* The depth is 0.5. A range without extent is all fog for vertices, and a step for pixels. */
        { 0.6f, 0.6f, 0x0000FF, 0x00FF00 },
        { 0.4f, 0.4f, 0x0000FF, 0x0000FF },
        { 0.25f, 0.75f, 0x008080, 0x008080 },
        { 0.75f, 0.25f, 0x008080, 0x008080 },
    };
    unsigned i;
    for (i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        reset();
        STATE(D3DRS_FOGENABLE, TRUE);
        STATE(D3DRS_FOGCOLOR, 0x0000FF);
        STATE(D3DRS_FOGSTART, number(ranges[i].start));
        STATE(D3DRS_FOGEND, number(ranges[i].end));
        STATE(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
        draw_colored(0xFF00FF00, 0, 0, 0);
        EXPECT(device, ranges[i].vertex, "linear vertex fog");
        STATE(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
        draw_colored(0xFF00FF00, 0, 0, 0);
        EXPECT(device, ranges[i].table, "linear table fog");
    }

    /* Without a mode the factor is the specular alpha; pretransformed vertices know no vertex fog. */
    reset();
    STATE(D3DRS_FOGENABLE, TRUE);
    STATE(D3DRS_FOGCOLOR, 0x0000FF);
    draw_colored(0xFF00FF00, 0x40000000, 0, 0);
    EXPECT(device, rgb(0, 0x40 / 255.0, 0xBF / 255.0), "specular alpha");
    draw_pixels(0.5f, 0xFF00FF00);
    EXPECT(device, 0x0000FF, "no specular colour");
    STATE(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    draw_pixels(0.5f, 0xFF00FF00);
    EXPECT(device, 0x0000FF, "no specular colour, vertex mode");

    /* A vertex shader that does not write oFog leaves nothing but fog. */
    OK(IDirect3DDevice9_CreateVertexShader(device, vs_1_1, &shader));
    OK(IDirect3DDevice9_SetVertexShader(device, shader));
    draw_colored(0xFF00FF00, 0x40000000, 0, 0);
    EXPECT(device, 0x0000FF, "vertex shader without oFog");
    STATE(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    draw_colored(0xFF00FF00, 0x40000000, 0, 0);
    EXPECT(device, 0x008080, "vertex shader under table fog");
    OK(IDirect3DDevice9_SetVertexShader(device, NULL));
    IDirect3DVertexShader9_Release(shader);
}

/* Pretransformed vertices are cut off by depth where depth is tested. */
static void depth_of_pretransformed(void)
{
    static const float depths[] = { -0.5f, 0, 0.5f, 1, 1.5f };
    unsigned i;
    for (i = 0; i < 5; i++) {
        int outside = i == 0 || i == 4;
        reset();
        STATE(D3DRS_ZFUNC, D3DCMP_ALWAYS);
        draw_pixels(depths[i], 0xFF00FF00);
        EXPECT(device, outside ? UNDRAWN : 0x00FF00, "with a depth test");
        STATE(D3DRS_ZENABLE, D3DZB_FALSE);
        draw_pixels(depths[i], 0xFF00FF00);
        EXPECT(device, 0x00FF00, "without a depth test");
        draw_colored(0xFFFF0000, 0, 0, 0);
        EXPECT(device, 0xFF0000, "transformed vertices afterwards");
    }
}

static void clip_planes(void)
{
    static const float left[4] = { -1, 0, 0, 0 };
    D3DMATRIX m = identity();
    reset();
    OK(IDirect3DDevice9_SetClipPlane(device, 0, left));
    STATE(D3DRS_CLIPPLANEENABLE, D3DCLIPPLANE0);
    draw_colored(0xFF00FF00, 0, 0, 0);
    EXPECT_AT(device, 16, 32, 0x00FF00, "kept");
    EXPECT_AT(device, 48, 32, UNDRAWN, "cut");
    /* Planes are in world space, whatever the projection does to depth. */
    m._33 = 0;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_PROJECTION, &m));
    draw_colored(0xFF00FF00, 0, 0, 0);
    EXPECT_AT(device, 16, 32, 0x00FF00, "kept under a singular projection");
    EXPECT_AT(device, 48, 32, UNDRAWN, "cut under a singular projection");
    m = identity();
    m._41 = 0.5f;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_PROJECTION, &m));
    draw_colored(0xFF00FF00, 0, 0, 0);
    EXPECT_AT(device, 46, 32, 0x00FF00, "kept, moved by the projection");
    EXPECT_AT(device, 50, 32, UNDRAWN, "cut, moved by the projection");
    STATE(D3DRS_CLIPPING, FALSE);
    draw_colored(0xFF00FF00, 0, 0, 0);
    EXPECT_AT(device, 50, 32, 0x00FF00, "no clipping");
}

static void coordinates(void)
{
    static const DWORD texels[4] = { 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF };
    IDirect3DTexture9 *texture;
    D3DMATRIX m = identity();
    reset();
    texture = make_texture(device, 4, 1, texels);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    STAGE(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    STAGE(0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    m._11 = 2;
    m._31 = 0.25f; /* two coordinates: the third row shifts */
    m._41 = 9;
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE0, &m));
    draw_colored(~0u, 0, 0.3f, 0.5f);
    EXPECT(device, 0x00FF00, "no transform");
    STAGE(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT1);
    draw_colored(~0u, 0, 0.3f, 0.5f);
    EXPECT(device, 0x00FF00, "COUNT1 leaves them alone");
    STAGE(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
    draw_colored(~0u, 0, 0.3f, 0.5f);
    EXPECT(device, 0xFFFFFF, "COUNT2: 0.85");
    STAGE(0, D3DTSS_TEXCOORDINDEX, 1);
    draw_colored(~0u, 0, 0.3f, 0.5f);
    EXPECT(device, 0xFF0000, "a set that is not there, transformed");
    STAGE(0, D3DTSS_TEXCOORDINDEX, 8);
    draw_colored(~0u, 0, 0.3f, 0.5f);
    EXPECT(device, 0xFF0000, "a set that cannot be there");
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(texture);
}

static void spots(void)
{
    struct { float x, y, z, nx, ny, nz; } q[4];
    /* Half angles to the corners of the target are about 51 degrees. */
    const struct { float theta, phi; DWORD expected; } cones[] = {
        { 2.0f, 3.0f, 0x808080 },
        { 0.2f, 0.4f, 0x000000 },
        { 2.0f, 0.4f, 0x808080 }, /* an inner cone wider than the outer one is all there is */
        { 0.4f, 0.2f, 0x000000 },
    };
    D3DMATERIAL9 material;
    unsigned i;
    memset(&material, 0, sizeof material);
    material.Diffuse.r = material.Diffuse.g = material.Diffuse.b = 1;
    for (i = 0; i < 4; i++) {
        float vertex[6] = { i & 1 ? 1 : -1, i & 2 ? -1 : 1, 0.5f, 0, 0, 0 };
        /* Each normal looks back at the light. */
        float length = sqrtf(2 + 1.15f * 1.15f);
        vertex[3] = -vertex[0] / length;
        vertex[4] = -vertex[1] / length;
        vertex[5] = -1.15f / length;
        memcpy(&q[i], vertex, sizeof vertex);
    }
    for (i = 0; i < sizeof cones / sizeof *cones; i++) {
        D3DLIGHT9 light;
        memset(&light, 0, sizeof light);
        light.Type = D3DLIGHT_SPOT;
        light.Diffuse.r = light.Diffuse.g = light.Diffuse.b = 0x80 / 255.0f;
        light.Position.z = 0.5f - 1.15f;
        light.Direction.z = 3;
        light.Range = 100;
        light.Falloff = 1;
        light.Attenuation0 = 1;
        light.Theta = cones[i].theta;
        light.Phi = cones[i].phi;
        reset();
        OK(IDirect3DDevice9_SetMaterial(device, &material));
        OK(IDirect3DDevice9_SetLight(device, 0, &light));
        OK(IDirect3DDevice9_LightEnable(device, 0, TRUE));
        draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL, q, sizeof *q);
        EXPECT(device, cones[i].expected, "cone");
    }
}

static void outputs(void)
{
    static const WORD past_the_end[3] = { 0, 1, 9 };
    struct pixels q[3] = { { 0, 0, 0.5f, 1, ~0u }, { 64, 0, 0.5f, 1, ~0u }, { 0, 64, 0.5f, 1, ~0u } };
    reset();
    /* Clears are encoded as draws are. */
    STATE(D3DRS_SRGBWRITEENABLE, TRUE);
    clear(device, 0xFF808080);
    EXPECT(device, 0xBCBCBC, "a clear as sRGB");
    draw_pixels(0.5f, 0xFF808080);
    EXPECT(device, 0xBCBCBC, "a draw as sRGB");
    STATE(D3DRS_SRGBWRITEENABLE, FALSE);
    clear(device, 0xFF808080);
    EXPECT(device, 0x808080, "a clear");
    /* Factors of both alphas are for sources. */
    STATE(D3DRS_ALPHABLENDENABLE, TRUE);
    STATE(D3DRS_SRCBLEND, D3DBLEND_ONE);
    STATE(D3DRS_DESTBLEND, D3DBLEND_BOTHSRCALPHA);
    draw_pixels(0.5f, 0x40102030);
    EXPECT(device, 0x102030, "destination of both alphas");
    STATE(D3DRS_SRCBLEND, D3DBLEND_BOTHSRCALPHA);
    draw_pixels(0.5f, 0x80FF0000);
    EXPECT(device, rgb(0x80 / 255.0 + 0x12 / 255.0 * 0x7F / 255.0, 0x34 / 255.0 * 0x7F / 255.0,
                       0x56 / 255.0 * 0x7F / 255.0), "source of both alphas");
    reset();
    OK(IDirect3DDevice9_SetFVF(device, PIXELS));
    OURS(OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 3, 1, past_the_end,
                                                    D3DFMT_INDEX16, q, sizeof *q)));
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &initial));
    alpha_operations();
    no_texture();
    fog();
    depth_of_pretransformed();
    clip_planes();
    coordinates();
    spots();
    outputs();
    IDirect3DStateBlock9_Release(initial);
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is held");
    CHECK(IDirect3D9_Release(d3d) == 0, "the factory is held");
    return finish("fixed_edges");
}
