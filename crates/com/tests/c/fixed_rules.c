/* Rules of the fixed pipeline that the documentation leaves open, as wined3d has them: missing
 * textures, what a texture transform sees and gives, what table fog measures, normals under odd
 * matrices, a ninth light. */
#include "visual.h"

struct lit { float x, y, z, nx, ny, nz; };
struct textured { float x, y, z; DWORD diffuse; float u, v; };
struct pixels { float x, y, z, rhw; DWORD diffuse; };

static IDirect3DStateBlock9 *initial;

static void reset(void)
{
    OK(IDirect3DStateBlock9_Apply(initial));
    use_ps(NULL);
    use_vs(NULL);
}

static void stage(DWORD n, D3DTEXTURESTAGESTATETYPE name, DWORD value)
{
    OK(IDirect3DDevice9_SetTextureStageState(device, n, name, value));
}

static void texture(DWORD n, IDirect3DTexture9 *texture)
{
    OK(IDirect3DDevice9_SetTexture(device, n, (IDirect3DBaseTexture9 *)texture));
}

static void transform(D3DTRANSFORMSTATETYPE which, const float m[16])
{
    OK(IDirect3DDevice9_SetTransform(device, which, (const D3DMATRIX *)m));
}

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

/* The whole target in one colour at one coordinate. */
static void draw_textured(DWORD diffuse, float u, float v)
{
    struct textured q[4];
    int i;
    for (i = 0; i < 4; i++) {
        struct textured t = { corners[3 * i], corners[3 * i + 1], 0.5f, diffuse, u, v };
        q[i] = t;
    }
    draw_strip(device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1, q, sizeof *q);
}

/* A stage without a texture that reads one passes on what is current, and the next one runs. */
static void missing_textures(void)
{
    const DWORD texel = 0xFF804020;
    IDirect3DTexture9 *colored = make_texture(device, 1, 1, &texel);
    DWORD argument;

    reset();
    texture(1, colored);
    stage(1, D3DTSS_COLOROP, D3DTOP_ADD);
    stage(1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage(1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    stage(1, D3DTSS_TEXCOORDINDEX, 0);
    for (argument = 1; argument < 3; argument++) {
        stage(0, D3DTSS_COLOROP, D3DTOP_MODULATE);
        stage(0, D3DTSS_COLORARG1, argument == 1 ? D3DTA_TEXTURE : D3DTA_TFACTOR);
        stage(0, D3DTSS_COLORARG2, argument == 2 ? D3DTA_TEXTURE : D3DTA_TFACTOR);
        draw_textured(0xFF102030, 0.5f, 0.5f);
        EXPECT(device, 0x906050, "a missing texture is skipped");
    }
    texture(1, NULL);
    IDirect3DTexture9_Release(colored);
}

/* 64 texels each way: red and green are four times the texel's place. */
static IDirect3DTexture9 *make_ramp(void)
{
    static DWORD texels[64 * 64];
    int i;
    for (i = 0; i < 64 * 64; i++)
        texels[i] = 0xFF000000 | (i % 64 * 4) << 16 | (i / 64 * 4) << 8;
    return make_texture(device, 64, 64, texels);
}

#define EXPECT_TEXEL(u, v, what) \
    EXPECT(device, (DWORD)((u) * 64) * 4 << 16 | (DWORD)((v) * 64) * 4 << 8, what)

static void texture_transforms(void)
{
    static const float m[16] = { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0.26f, 0.13f, 1, 0, 0.51f, 0.4f, 0.25f, 2 };
    IDirect3DTexture9 *ramp = make_ramp();
    const DWORD projected[] = { D3DTTFF_PROJECTED, D3DTTFF_COUNT2 | D3DTTFF_PROJECTED,
                                D3DTTFF_COUNT4 | D3DTTFF_PROJECTED };
    unsigned i;

    reset();
    texture(0, ramp);
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_POINT));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_POINT));
    stage(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage(0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    transform(D3DTS_TEXTURE0, m);
    stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT1);
    draw_textured(0, 0.3f, 0.6f);
    EXPECT_TEXEL(0.3f, 0.6f, "one component is no transform");
    for (i = 2; i <= 4; i++) {
        /* (0.3, 0.6, 1, 0) */
        stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, i);
        draw_textured(0, 0.3f, 0.6f);
        EXPECT_TEXEL(0.41f, 0.43f, "the third row moves a set of two");
    }
    for (i = 0; i < 3; i++) {
        /* (0.3, 0.6, 0, 1), divided by the fourth component */
        stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, projected[i]);
        draw_textured(0, 0.3f, 0.6f);
        EXPECT_TEXEL(0.33f, 0.35f, "the fourth row moves what is divided");
    }
    /* By the third, which is 0.25: (2.64, 2.8) wraps. */
    stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED);
    draw_textured(0, 0.3f, 0.6f);
    EXPECT_TEXEL(0.64f, 0.8f, "three components divide by the third");
    /* A set past the last is the last; a mode that there is none of generates nothing. */
    stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    stage(0, D3DTSS_TEXCOORDINDEX, 5 << 16);
    draw_textured(0, 0.3f, 0.6f);
    EXPECT(device, 0x000000, "an unknown generation mode");
    texture(0, NULL);
    IDirect3DTexture9_Release(ramp);
}

/* tex of ps_1_1 divides by the component that the count names, where the vertex has it and the
 * texture does not use it. */
static void projected_programs(void)
{
    static const DWORD ps_1_1[] = {
        0xFFFF0101, 0x00000042, 0xB00F0000,             /* tex t0 */
        0x00000001, 0x800F0000, 0xB0E40000, 0x0000FFFF  /* mov r0, t0 */
    };
    static const struct { DWORD components, flags; float divisor; } table[] = {
        { 2, D3DTTFF_PROJECTED, 1 }, { 2, D3DTTFF_COUNT2 | D3DTTFF_PROJECTED, 1 },
        { 2, D3DTTFF_COUNT4 | D3DTTFF_PROJECTED, 1 },
        { 3, D3DTTFF_PROJECTED, 2 }, { 3, D3DTTFF_COUNT2 | D3DTTFF_PROJECTED, 1 },
        { 3, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED, 2 }, { 3, D3DTTFF_COUNT4 | D3DTTFF_PROJECTED, 2 },
        { 4, D3DTTFF_PROJECTED, 4 }, { 4, D3DTTFF_COUNT2 | D3DTTFF_PROJECTED, 1 },
        { 4, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED, 2 }, { 4, D3DTTFF_COUNT4 | D3DTTFF_PROJECTED, 4 },
    };
    const DWORD sizes[] = { 0, 0, D3DFVF_TEXCOORDSIZE2(0), D3DFVF_TEXCOORDSIZE3(0),
                            D3DFVF_TEXCOORDSIZE4(0) };
    IDirect3DTexture9 *ramp = make_ramp();
    unsigned i, k;

    for (i = 0; i < sizeof table / sizeof *table; i++) {
        const DWORD n = table[i].components;
        float v[4 * 8];
        reset();
        texture(0, ramp);
        OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_POINT));
        OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_POINT));
        stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, table[i].flags);
        use_ps(ps_1_1);
        for (k = 0; k < 4; k++) {
            const float coordinate[4] = { 0.82f, 0.9f, 2, 4 };
            float *vertex = v + k * (3 + n);
            memcpy(vertex, corners + 3 * k, 12);
            memcpy(vertex + 3, coordinate, 4 * n);
        }
        draw_strip(device, D3DFVF_XYZ | D3DFVF_TEX1 | sizes[n], v, 4 * (3 + n));
        EXPECT_TEXEL(0.82f / table[i].divisor, 0.9f / table[i].divisor, "tex, projected");
    }
    reset();
    texture(0, NULL);
    IDirect3DTexture9_Release(ramp);
}

/* Table fog measures clip-space z where the projection's fourth column is (0, 0, 0, 1), view-space z
 * where it is not, and never the viewport's range. After a vertex shader it is clip-space z, or w
 * where the projection makes one; wined3d 8 keeps to z. */
#ifdef _WIN32
#define DEEP_PROGRAM 0.44
#else
#define DEEP_PROGRAM 0.5
#endif

static void table_fog(void)
{
    static const DWORD vs_1_1[] = {
        0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, /* dcl_position v0 */
        0x0000001F, 0x8000000A, 0x900F0001,             /* dcl_color v1 */
        0x00000014, 0xC00F0000, 0x90E40000, 0xA0E40000, /* m4x4 oPos, v0, c0 */
        0x00000001, 0xD00F0000, 0x90E40001, 0x0000FFFF  /* mov oD0, v1 */
    };
    /* z' = z / 2 + 1/4, and w = 1; the same with w = 2; z' = 1.1 z - 0.11 and w = z. */
    static const float flat[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0.25f, 1 };
    static const float twice[16] = { 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0.25f, 2 };
    static const float deep[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.1f, 1, 0, 0, -0.11f, 0 };
    static const struct { const float *projection; int program; double distance; } table[] = {
        { flat, 0, 0.5 }, { twice, 0, 0.5 }, { deep, 0, 0.5 }, { flat, 1, 0.5 }, { deep, 1, DEEP_PROGRAM },
    };
    D3DVIEWPORT9 viewport = { 0, 0, EDGE, EDGE, 0.5f, 0.75f };
    D3DVIEWPORT9 whole = { 0, 0, EDGE, EDGE, 0, 1 };
    unsigned i, k;

    for (i = 0; i < sizeof table / sizeof *table; i++) {
        const float *m = table[i].projection;
        float turned[16];
        reset();
        OK(IDirect3DDevice9_SetViewport(device, &viewport));
        state(D3DRS_FOGENABLE, TRUE);
        state(D3DRS_FOGCOLOR, 0x0000FF);
        state(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
        state(D3DRS_FOGSTART, float_bits(0));
        state(D3DRS_FOGEND, float_bits(1));
        transform(D3DTS_PROJECTION, m);
        if (table[i].program) {
            for (k = 0; k < 16; k++)
                turned[k] = m[k % 4 * 4 + k / 4];
            OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, turned, 4));
            use_vs(vs_1_1);
        }
        draw_textured(0xFF00FF00, 0, 0);
        EXPECT(device, rgb(0, 1 - table[i].distance, table[i].distance), "table fog");
    }
    reset();
    OK(IDirect3DDevice9_SetViewport(device, &whole));
}

static void light_up(DWORD index, float red)
{
    D3DLIGHT9 light;
    memset(&light, 0, sizeof light);
    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse.r = red;
    light.Direction.z = 1;
    OK(IDirect3DDevice9_SetLight(device, index, &light));
    OK(IDirect3DDevice9_LightEnable(device, index, TRUE));
}

static void draw_lit(float ny, float nz)
{
    struct lit q[4];
    int i;
    for (i = 0; i < 4; i++) {
        struct lit v = { corners[3 * i], corners[3 * i + 1], 0, 0, ny, nz };
        q[i] = v;
    }
    state(D3DRS_LIGHTING, TRUE);
    draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL, q, sizeof *q);
}

static void lights(void)
{
    /* Singular: normals go through the transpose, (0, 1, 0) to (0, 1, -1). */
    static const float singular[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1 };
    /* With a fourth column, whose inverse has 2/3 in the middle. */
    static const float odd[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0.5f, 1 };
    D3DMATERIAL9 material;
    DWORD i;

    reset();
    memset(&material, 0, sizeof material);
    material.Diffuse.r = 1;
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    state(D3DRS_CLIPPING, FALSE);
    light_up(0, 0.5f);
    draw_lit(0, -1);
    EXPECT(device, 0x800000, "a light");
    transform(D3DTS_WORLD, singular);
    draw_lit(1, 0);
    EXPECT(device, 0x800000, "a normal through a singular matrix");
    transform(D3DTS_WORLD, odd);
    draw_lit(0, -1);
    EXPECT(device, rgb(1.0 / 3, 0, 0), "a normal through a matrix with a fourth column");
    transform(D3DTS_WORLD, identity);

    for (i = 1; i < 9; i++)
        light_up(i * 10, 0.05f);
    draw_lit(0, -1);
    EXPECT(device, rgb(0.85, 0, 0), "eight lights of nine");
    OK(IDirect3DDevice9_LightEnable(device, 0, FALSE));
    draw_lit(0, -1);
    EXPECT(device, rgb(0.35, 0, 0), "the ninth stays dark");
    OK(IDirect3DDevice9_LightEnable(device, 80, TRUE));
    draw_lit(0, -1);
    EXPECT(device, rgb(0.4, 0, 0), "until it is enabled again");
    for (i = 0; i < 9; i++)
        OK(IDirect3DDevice9_LightEnable(device, i * 10, FALSE));
}

int main(void)
{
    start();
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &initial));
    missing_textures();
    texture_transforms();
    projected_programs();
    table_fog();
    lights();
    IDirect3DStateBlock9_Release(initial);
    return stop("fixed_rules");
}
