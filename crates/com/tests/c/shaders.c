/* Vertex and pixel shaders of models 1 to 3, their constants, and what Get gives back. */
#include "common.h"
#include "shaders.h"

struct vertex {
    float x, y, z;
    DWORD diffuse;
    float u, v;
};

static IDirect3DDevice9 *device;
static IDirect3DVertexDeclaration9 *declaration;

static IDirect3DVertexShader9 *vertex_shader(const DWORD *tokens)
{
    IDirect3DVertexShader9 *shader = NULL;
    OK(IDirect3DDevice9_CreateVertexShader(device, tokens, &shader));
    return shader;
}

static IDirect3DPixelShader9 *pixel_shader(const DWORD *tokens)
{
    IDirect3DPixelShader9 *shader = NULL;
    OK(IDirect3DDevice9_CreatePixelShader(device, tokens, &shader));
    return shader;
}

/* A quad over the target, of this half edge, in the colour 0x80, 0x40, 0x20. */
static void draw(float half)
{
    struct vertex quad[4] = {
        { -half, half, 0.5f, 0xFF804020, 0.5f, 0.5f }, { half, half, 0.5f, 0xFF804020, 0.5f, 0.5f },
        { -half, -half, 0.5f, 0xFF804020, 0.5f, 0.5f }, { half, -half, 0.5f, 0xFF804020, 0.5f, 0.5f },
    };
    clear(device, 0xFF123456);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]));
    OK(IDirect3DDevice9_EndScene(device));
}

static void vs(IDirect3DVertexShader9 *shader)
{
    OK(IDirect3DDevice9_SetVertexShader(device, shader));
}

static void ps(IDirect3DPixelShader9 *shader)
{
    OK(IDirect3DDevice9_SetPixelShader(device, shader));
}

static void vs_constant(UINT reg, float x, float y, float z, float w)
{
    float v[4] = { x, y, z, w };
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, reg, v, 1));
}

static void ps_constant(UINT reg, float x, float y, float z, float w)
{
    float v[4] = { x, y, z, w };
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, reg, v, 1));
}

static double c(unsigned v)
{
    return v / 255.0;
}

/* Constants are what was last set, register by register; ranges past the end are refused. */
static void constants(void)
{
    float f[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, g[8];
    int i[4] = { -1, 2, -3, 4 }, j[4];
    BOOL b[3] = { 7, 0, 1 }, d[3];

    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 254, f, 2));
    OK(IDirect3DDevice9_GetVertexShaderConstantF(device, 254, g, 2));
    CHECK(memcmp(f, g, sizeof f) == 0, "vertex float constants");
    INVALID(IDirect3DDevice9_SetVertexShaderConstantF(device, 255, f, 2));
    OURS(INVALID(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, NULL, 1)));
    INVALID(IDirect3DDevice9_SetVertexShaderConstantF(device, 0xFFFFFFFF, f, 2));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 222, f, 2));
    OK(IDirect3DDevice9_GetPixelShaderConstantF(device, 222, g, 2));
    CHECK(memcmp(f, g, sizeof f) == 0, "pixel float constants");
    INVALID(IDirect3DDevice9_SetPixelShaderConstantF(device, 223, f, 2));
    INVALID(IDirect3DDevice9_GetPixelShaderConstantF(device, 223, g, 2));
    OURS(INVALID(IDirect3DDevice9_GetPixelShaderConstantF(device, 0, NULL, 1)));

    OK(IDirect3DDevice9_SetVertexShaderConstantI(device, 15, i, 1));
    OK(IDirect3DDevice9_GetVertexShaderConstantI(device, 15, j, 1));
    CHECK(memcmp(i, j, sizeof i) == 0, "vertex integer constants");
    INVALID(IDirect3DDevice9_SetVertexShaderConstantI(device, 16, i, 1));
    OK(IDirect3DDevice9_SetPixelShaderConstantI(device, 3, i, 1));
    OK(IDirect3DDevice9_GetPixelShaderConstantI(device, 3, j, 1));
    CHECK(memcmp(i, j, sizeof i) == 0, "pixel integer constants");

    OK(IDirect3DDevice9_SetVertexShaderConstantB(device, 13, b, 3));
    OK(IDirect3DDevice9_GetVertexShaderConstantB(device, 13, d, 3));
    CHECK(d[0] != 0 && d[1] == 0 && d[2] != 0, "vertex boolean constants");
    /* Integers and booleans past the last are left out, where floats are refused. */
    OK(IDirect3DDevice9_SetVertexShaderConstantB(device, 14, b, 3));
    OK(IDirect3DDevice9_GetVertexShaderConstantB(device, 14, d, 2));
    CHECK(d[0] != 0 && d[1] == 0, "the last of the boolean constants");
    INVALID(IDirect3DDevice9_SetVertexShaderConstantB(device, 16, b, 1));
    OK(IDirect3DDevice9_SetPixelShaderConstantB(device, 0, b, 3));
    OK(IDirect3DDevice9_GetPixelShaderConstantB(device, 0, d, 3));
    CHECK(d[0] != 0 && d[1] == 0 && d[2] != 0, "pixel boolean constants");
}

static void function(IDirect3DVertexShader9 *shader)
{
    DWORD copy[64];
    UINT size = 0;
    OK(IDirect3DVertexShader9_GetFunction(shader, NULL, &size));
    CHECK(size == sizeof vs_1_1, "GetFunction says %u bytes, not %u", size, (unsigned)sizeof vs_1_1);
    OK(IDirect3DVertexShader9_GetFunction(shader, copy, &size));
    CHECK(memcmp(copy, vs_1_1, sizeof vs_1_1) == 0, "GetFunction gives other tokens");
    size = 4;
    INVALID(IDirect3DVertexShader9_GetFunction(shader, copy, &size));
    OURS(INVALID(IDirect3DVertexShader9_GetFunction(shader, copy, NULL)));
}

int main(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        { 0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0 },
        { 0, 12, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0 },
        { 0, 16, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0 },
        D3DDECL_END()
    };
    static const DWORD texel[1] = { 0xFF4080C0 };
    const double t[3] = { c(0x40), c(0x80), c(0xC0) }, d[3] = { c(0x80), c(0x40), c(0x20) };
    IDirect3D9 *d3d = make_d3d();
    IDirect3DVertexShader9 *v1, *v2, *v3, *found = NULL;
    IDirect3DPixelShader9 *p1, *p14, *p2, *p3;
    IDirect3DTexture9 *texture;
    D3DVERTEXELEMENT9 copy[8];
    UINT count = 0;

    device = make_device(d3d);
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DVertexDeclaration9_GetDeclaration(declaration, NULL, &count));
    CHECK(count == 4, "a declaration of %u elements, not 4", count);
    OK(IDirect3DVertexDeclaration9_GetDeclaration(declaration, copy, &count));
    CHECK(memcmp(copy, elements, sizeof elements) == 0, "GetDeclaration gives other elements");
    texture = make_texture(device, 1, 1, texel);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));

    v1 = vertex_shader(vs_1_1);
    v2 = vertex_shader(vs_2_0);
    v3 = vertex_shader(vs_3_0);
    p1 = pixel_shader(ps_1_1);
    p14 = pixel_shader(ps_1_4);
    p2 = pixel_shader(ps_2_0);
    p3 = pixel_shader(ps_3_0);

    /* A stream of the other stage, and none at all. */
    found = NULL;
    INVALID(IDirect3DDevice9_CreateVertexShader(device, ps_2_0, &found));
    OURS(INVALID(IDirect3DDevice9_CreateVertexShader(device, NULL, &found)));
    OURS(INVALID(IDirect3DDevice9_CreateVertexShader(device, vs_2_0, NULL)));
    function(v1);

    /* Model 1: diffuse * c0 in the vertex shader, texture * c0 + diffuse in the pixel shader. */
    vs(v1);
    ps(p1);
    OK(IDirect3DDevice9_GetVertexShader(device, &found));
    CHECK(found == v1, "GetVertexShader gives another shader");
    CHECK(IDirect3DVertexShader9_Release(found) == 1, "GetVertexShader adds one reference");
    vs_constant(0, 0.5f, 1, 2, 1);
    ps_constant(0, 0.25f, 0.5f, 1, 1);
    draw(1);
    EXPECT(device, rgb(t[0] * 0.25 + d[0] * 0.5, t[1] * 0.5 + d[1], t[2] + d[2] * 2), "vs_1_1 and ps_1_1");

    /* Constants of ps_1_x are cut to -1 to 1. */
    ps_constant(0, 8, -8, 0, 1);
    draw(1);
    EXPECT(device, rgb(t[0] + d[0] * 0.5, d[1] - t[1], d[2] * 2), "ps_1_1 constants are clamped");

    /* ps_1_4: (texture * c0 + c1) * 2. */
    ps(p14);
    ps_constant(0, 0.5f, 0.25f, 0.125f, 1);
    ps_constant(1, 0.125f, 0.0625f, 0, 0);
    draw(1);
    EXPECT(device, rgb(t[0] + 0.25, t[1] * 0.5 + 0.125, t[2] * 0.25), "ps_1_4");

    /* Model 2: i0 times c4, and c5 if b0; the pixel shader blends with the texture by c0. */
    vs(v2);
    ps(p2);
    {
        /* Rows of the transposed matrix: shrinks to a half. */
        static const float shrink[16] = { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
        static const int three[4] = { 3, 0, 0, 0 };
        BOOL yes = TRUE, no = FALSE;
        OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, shrink, 4));
        vs_constant(4, 0.125f, 0.25f, 0, 0);
        vs_constant(5, 0.25f, 0, 0.5f, 0);
        OK(IDirect3DDevice9_SetVertexShaderConstantI(device, 0, three, 1));
        OK(IDirect3DDevice9_SetVertexShaderConstantB(device, 0, &yes, 1));
        ps_constant(0, 0, 0.5f, 1, 0);
        draw(1);
        EXPECT(device, rgb(0.625, 0.5 * t[1] + 0.5 * 0.75, t[2]), "vs_2_0 and ps_2_0");
        EXPECT_AT(device, 8, 32, 0x123456, "vs_2_0 shrinks");
        EXPECT_AT(device, 17, 17, rgb(0.625, 0.5 * t[1] + 0.5 * 0.75, t[2]), "vs_2_0 shrinks to a half");
        OK(IDirect3DDevice9_SetVertexShaderConstantB(device, 0, &no, 1));
        draw(1);
        EXPECT(device, rgb(0.375, 0.5 * t[1] + 0.5 * 0.75, t[2]), "vs_2_0 with b0 false");
    }

    /* Model 3: the sum of c1, c3, c5; right of column 32 times the pixel shader's c0. */
    vs(v3);
    ps(p3);
    {
        static const int loop[4] = { 3, 1, 2, 0 };
        int i;
        for (i = 0; i < 8; i++)
            vs_constant((UINT)i, i & 1 ? 0.125f : 100, 0.03125f * (float)i, 0.25f, 0);
        OK(IDirect3DDevice9_SetVertexShaderConstantI(device, 0, loop, 1));
        ps_constant(0, 0.5f, 1, 0, 1);
        draw(1);
        EXPECT_AT(device, 10, 32, rgb(0.375, 9 * 0.03125, 0.75), "vs_3_0 and ps_3_0, left");
        EXPECT_AT(device, 31, 32, rgb(0.375, 9 * 0.03125, 0.75), "vs_3_0 and ps_3_0, column 31");
        EXPECT_AT(device, 32, 32, rgb(0.1875, 9 * 0.03125, 0), "vs_3_0 and ps_3_0, column 32");
    }

    constants();

    vs(NULL);
    ps(NULL);
    OK(IDirect3DDevice9_GetVertexShader(device, &found));
    CHECK(found == NULL, "a shader is set after SetVertexShader(NULL)");

    IDirect3DVertexShader9_Release(v1);
    IDirect3DVertexShader9_Release(v2);
    IDirect3DVertexShader9_Release(v3);
    IDirect3DPixelShader9_Release(p1);
    IDirect3DPixelShader9_Release(p14);
    IDirect3DPixelShader9_Release(p2);
    IDirect3DPixelShader9_Release(p3);
    IDirect3DTexture9_Release(texture);
    IDirect3DVertexDeclaration9_Release(declaration);
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("shaders");
}
