/* ProcessVertices with the fixed function, and drawing what it made. */
#include "common.h"

#define BLANK 0xCDCDCDCDu

static IDirect3DVertexBuffer9 *make_buffer(IDirect3DDevice9 *device, UINT size, DWORD usage, DWORD fvf, D3DPOOL pool,
                                           const void *data, UINT length)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *memory;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, size, usage, fvf, pool, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &memory, 0));
    memset(memory, 0xCD, size);
    if (data)
        memcpy(memory, data, length);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    return buffer;
}

/* Compares a float of a buffer by its number. */
static void expect(IDirect3DVertexBuffer9 *buffer, UINT index, float wanted, const char *what)
{
    float *memory;
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&memory, D3DLOCK_READONLY));
    CHECK(fabsf(memory[index] - wanted) <= 1e-4f * (1 + fabsf(wanted)), "%s: float %u is %g, not %g", what, index,
          memory[index], wanted);
    IDirect3DVertexBuffer9_Unlock(buffer);
}

static void expect_color(IDirect3DVertexBuffer9 *buffer, UINT index, DWORD wanted, const char *what)
{
    DWORD *memory;
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&memory, D3DLOCK_READONLY));
    CHECK(close_to(memory[index], wanted, 1), "%s: word %u is %08x, not %08x", what, index, (unsigned)memory[index],
          (unsigned)wanted);
    IDirect3DVertexBuffer9_Unlock(buffer);
}

static void expect4(IDirect3DVertexBuffer9 *buffer, UINT index, float x, float y, float z, float w, const char *what)
{
    expect(buffer, index, x, what);
    expect(buffer, index + 1, y, what);
    expect(buffer, index + 2, z, what);
    expect(buffer, index + 3, w, what);
}

static void positions(IDirect3DDevice9 *device)
{
    static const float points[] = { 0, 0, 0.5f, 0.5f, 0.25f, 0.25f, 2, 0, 0.5f, 0, 0, -0.5f };
    static const D3DMATRIX projection = { { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1 } } };
    D3DVIEWPORT9 viewport = { 8, 4, 32, 16, 0.25f, 0.75f }, whole = { 0, 0, EDGE, EDGE, 0, 1 };
    IDirect3DVertexBuffer9 *source = make_buffer(device, sizeof points, 0, D3DFVF_XYZ, D3DPOOL_DEFAULT, points,
                                                 sizeof points);
    IDirect3DVertexBuffer9 *to = make_buffer(device, 256, 0, D3DFVF_XYZRHW, D3DPOOL_DEFAULT, NULL, 0);
    IDirect3DVertexBuffer9 *system = make_buffer(device, 64, 0, D3DFVF_XYZRHW, D3DPOOL_SYSTEMMEM, NULL, 0);
    IDirect3DVertexBuffer9 *managed = make_buffer(device, 64, 0, D3DFVF_XYZRHW, D3DPOOL_MANAGED, NULL, 0);
    IDirect3DVertexBuffer9 *software = make_buffer(device, 64, D3DUSAGE_SOFTWAREPROCESSING, D3DFVF_XYZRHW,
                                                   D3DPOOL_DEFAULT, NULL, 0);
    int clipping;

    INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 0));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 0));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, source, 0, 12));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 1, 2, to, NULL, 0));
    expect_color(to, 3, BLANK, "before");
    expect4(to, 4, 32, 32, 0.5f, 1, "the middle");
    expect4(to, 8, 48, 24, 0.25f, 1, "a corner");
    expect_color(to, 12, BLANK, "after");
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 6, 1, to, NULL, 0));
    expect4(to, 24, 48, 24, 0.25f, 1, "an offset of both");
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 0, 0, to, NULL, 0));
    expect_color(to, 0, BLANK, "no vertices");
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 0, 1, system, NULL, 0));
    expect4(system, 0, 48, 24, 0.25f, 1, "system memory");
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 0, 1, managed, NULL, 0));
    expect4(managed, 0, 48, 24, 0.25f, 1, "the managed pool");
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 0, 1, software, NULL, 0));
    expect4(software, 0, 48, 24, 0.25f, 1, "software processing");

    /* Vertices outside are divided like others, clipping or not. */
    OK(IDirect3DDevice9_SetViewport(device, &viewport));
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_PROJECTION, &projection));
    for (clipping = 0; clipping < 2; clipping++) {
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CLIPPING, clipping));
        OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 4, to, NULL, 0));
        expect4(to, 0, 24, 12, 0.25f + 0.5f / 3, 1 / 1.5f, "w is 1.5");
        expect4(to, 4, 30.4f, 10.4f, 0.35f, 0.8f, "w is 1.25");
        expect4(to, 8, 24 + 16 * 2 / 1.5f, 12, 0.25f + 0.5f / 3, 1 / 1.5f, "right of the viewport");
        expect4(to, 12, 24, 12, -0.25f, 2, "before the near plane");
    }
    OK(IDirect3DDevice9_SetViewport(device, &whole));

#ifndef _WIN32
    /* What wined3d does not check. */
    {
        float before[4], *memory;
        IDirect3DVertexBuffer9 *plain = make_buffer(device, 64, 0, 0, D3DPOOL_DEFAULT, NULL, 0);
        OK(IDirect3DVertexBuffer9_Lock(to, 0, 0, (void **)&memory, 0));
        memcpy(before, memory, sizeof before);
        OK(IDirect3DVertexBuffer9_Unlock(to));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, NULL, NULL, 0));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, plain, NULL, 0));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 2));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 1, 0, 4, to, NULL, 0));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 15, 2, to, NULL, 0));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0xFFFFFFFF, 0, 1, to, NULL, 0));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0xFFFFFFFF, 2, to, NULL, 0));
        INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 0xFFFFFFFF, to, NULL, 0));
        expect4(to, 0, before[0], before[1], before[2], before[3], "after refused calls");
        IDirect3DVertexBuffer9_Release(plain);
    }
#endif
    IDirect3DVertexBuffer9_Release(software);
    IDirect3DVertexBuffer9_Release(managed);
    IDirect3DVertexBuffer9_Release(system);
    IDirect3DVertexBuffer9_Release(to);
    IDirect3DVertexBuffer9_Release(source);
}

struct rich {
    float position[3], normal[3];
    DWORD diffuse, specular;
    float first[2], second[3];
};

#define RICH (D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2 | D3DFVF_TEXCOORDSIZE3(1))

static void elements(IDirect3DDevice9 *device)
{
    static const struct rich vertices[2] = {
        { { 0.5f, 0.5f, 0.5f }, { 0, 0, -1 }, 0x80112233, 0x40445566, { 0.25f, 0.75f }, { 1, 2, 3 } },
        { { -0.5f, -0.5f, 0 }, { 0, 1, 0 }, 0x81112233, 0x41445566, { 0.125f, 0.5f }, { 4, 5, 6 } },
    };
    static const D3DMATRIX identity = { { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } } };
    static const D3DMATERIAL9 material = {
        { 0.5f, 0.5f, 0.5f, 0.5f }, { 0.25f, 0.5f, 0.75f, 1 }, { 1, 1, 1, 1 }, { 0, 0, 0.1f, 0 }, 10
    };
    D3DLIGHT9 light;
    IDirect3DVertexBuffer9 *source = make_buffer(device, sizeof vertices, 0, 0, D3DPOOL_DEFAULT, vertices,
                                                 sizeof vertices);
    IDirect3DVertexBuffer9 *to = make_buffer(device, 256, 0, D3DFVF_XYZRHW | RICH, D3DPOOL_DEFAULT, NULL, 0);
    IDirect3DVertexBuffer9 *colors = make_buffer(device, 64, 0, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR,
                                                 D3DPOOL_DEFAULT, NULL, 0);
    int n;

    OK(IDirect3DDevice9_SetTransform(device, D3DTS_PROJECTION, &identity));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | RICH));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, source, 0, sizeof vertices[0]));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 2, to, NULL, 0));
    /* 14 numbers a vertex; normals are copied as they are. */
    expect4(to, 0, 48, 16, 0.5f, 1, "the first");
    expect4(to, 14, 16, 48, 0, 1, "the second");
    for (n = 0; n < 2; n++) {
        const struct rich *v = &vertices[n];
        expect(to, 14 * n + 4, v->normal[0], "normal x");
        expect(to, 14 * n + 5, v->normal[1], "normal y");
        expect(to, 14 * n + 6, v->normal[2], "normal z");
        expect_color(to, 14 * n + 7, v->diffuse, "the diffuse colour");
        expect_color(to, 14 * n + 8, v->specular, "the specular colour");
        expect(to, 14 * n + 9, v->first[0], "u");
        expect(to, 14 * n + 10, v->first[1], "v");
        expect(to, 14 * n + 13, v->second[2], "w of the second set");
    }

    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SPECULARENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_AMBIENT, 0xFF808080));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LOCALVIEWER, FALSE));
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    memset(&light, 0, sizeof light);
    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse.r = light.Diffuse.g = light.Diffuse.b = 0.5f;
    light.Specular = light.Diffuse;
    light.Direction.z = 1;
    OK(IDirect3DDevice9_SetLight(device, 0, &light));
    OK(IDirect3DDevice9_LightEnable(device, 0, TRUE));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 2, to, NULL, 0));
    /* Facing the light: emissive + ambient * 0x80 / 255 + the vertex's diffuse * 0.5. */
    expect_color(to, 7,
                 0x80000000 | rgb(0.25 * 128 / 255 + 0x11 * 0.5 / 255, 0.5 * 128 / 255 + 0x22 * 0.5 / 255,
                                  0.1 + 0.75 * 128 / 255 + 0x33 * 0.5 / 255),
                 "lit");
    /* The half vector is the normal: the vertex's specular colour times 0.5. */
    expect_color(to, 8, 0x40000000 | rgb(0x44 * 0.5 / 255, 0x55 * 0.5 / 255, 0x66 * 0.5 / 255), "a highlight");
    expect_color(to, 21, 0x81000000 | rgb(0.25 * 128 / 255, 0.5 * 128 / 255, 0.1 + 0.75 * 128 / 255), "in the dark");

    /* Without colours and lighting vertices are white, without specular light. */
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_NORMAL));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, colors, NULL, 0));
    expect_color(colors, 4, 0xFFFFFFFF, "no diffuse colour");
    expect_color(colors, 5, 0, "no specular colour");
    IDirect3DVertexBuffer9_Release(colors);
    IDirect3DVertexBuffer9_Release(to);
    IDirect3DVertexBuffer9_Release(source);
}

static void drawing(IDirect3DDevice9 *device)
{
    static const struct {
        float x, y, z;
        DWORD color;
    } quad[4] = { { -1, 1, 0.5f, 0xFF2080C0 }, { 1, 1, 0.5f, 0xFF2080C0 }, { -1, -1, 0.5f, 0xFF2080C0 },
                  { 1, -1, 0.5f, 0xFF2080C0 } };
    IDirect3DVertexBuffer9 *source = make_buffer(device, sizeof quad, 0, 0, D3DPOOL_DEFAULT, quad, sizeof quad);
    IDirect3DVertexBuffer9 *to = make_buffer(device, 80, D3DUSAGE_WRITEONLY, D3DFVF_XYZRHW | D3DFVF_DIFFUSE,
                                             D3DPOOL_DEFAULT, NULL, 0);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, source, 0, sizeof quad[0]));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SPECULARENABLE, FALSE));
    clear(device, 0xFF000000);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 4, to, NULL, 0));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, to, 0, 20));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2));
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT(device, 0x2080C0, "processed vertices drawn");
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    CHECK(IDirect3DVertexBuffer9_Release(to) == 0, "the destination has references left");
    IDirect3DVertexBuffer9_Release(source);
}

#ifndef _WIN32
static void expect_words(IDirect3DVertexBuffer9 *buffer, UINT index, const DWORD *wanted, UINT count, const char *what)
{
    DWORD *memory;
    UINT n;
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&memory, D3DLOCK_READONLY));
    for (n = 0; n < count; n++)
        CHECK(memory[index + n] == wanted[n], "%s: word %u is %08x, not %08x", what, index + n,
              (unsigned)memory[index + n], (unsigned)wanted[n]);
    IDirect3DVertexBuffer9_Unlock(buffer);
}

/* Vertex shaders, which wined3d does not run here, and calls that few programs make. */
static void programs(IDirect3DDevice9 *device)
{
    static const DWORD move[] = { 0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x00000001, 0xC00F0000, 0x90E40000,
                                  0x0000FFFF };
    static const DWORD add[] = { 0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x00000002, 0xC00F0000, 0x90E40000,
                                 0xA0E40000, 0x0000FFFF };
    /* mov oPos, v0_abs: later models have that. */
    static const DWORD magnitude[] = { 0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x00000001, 0xC00F0000,
                                       0x9BE40000, 0x0000FFFF };
    static const float points[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, one[] = { 1, 1, 1, 1 };
    static const float moved[] = { 5, 6, 7, 8, 9, 10 };
    static const DWORD blank[] = { BLANK, BLANK, BLANK, BLANK, BLANK, BLANK };
    D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 }, D3DDECL_END() };
    IDirect3DVertexBuffer9 *from = make_buffer(device, sizeof points, 0, D3DFVF_XYZ, D3DPOOL_DEFAULT, points,
                                               sizeof points);
    IDirect3DVertexBuffer9 *to = make_buffer(device, 48, 0, D3DFVF_XYZ, D3DPOOL_DEFAULT, NULL, 0);
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexShader9 *shaders[3] = { NULL, NULL, NULL };
    IDirect3DStateBlock9 *block = NULL;
    void *held;
    UINT n;

    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DDevice9_CreateVertexShader(device, move, &shaders[0]));
    OK(IDirect3DDevice9_CreateVertexShader(device, add, &shaders[1]));
    OK(IDirect3DDevice9_CreateVertexShader(device, magnitude, &shaders[2]));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, one, 1));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, 12));

    /* Shaders in turn, each with what is set when it is called. */
    OK(IDirect3DDevice9_SetVertexShader(device, shaders[0]));
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 1, 2, to, NULL, 0));
    expect_words(to, 0, blank, 3, "before the range");
    expect_words(to, 3, (const DWORD *)points + 3, 6, "moved");
    expect_words(to, 9, blank, 3, "after the range");
    OK(IDirect3DDevice9_SetVertexShader(device, shaders[1]));
    OK(IDirect3DDevice9_ProcessVertices(device, 1, 0, 2, to, NULL, D3DPV_DONOTCOPYDATA));
    expect_words(to, 0, (const DWORD *)moved, 6, "added");
    expect_words(to, 6, (const DWORD *)points + 6, 3, "after the sums");
    OK(IDirect3DDevice9_SetVertexShader(device, shaders[2]));
    CHECK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 0) == D3DERR_NOTAVAILABLE, "a modifier ran");
    expect_words(to, 0, (const DWORD *)moved, 6, "after the modifier");

    /* One vertex for all, whatever the stream's frequency is; steps of 4 GiB. */
    OK(IDirect3DDevice9_SetVertexShader(device, shaders[0]));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 12, 0));
    OK(IDirect3DDevice9_SetStreamSourceFreq(device, 0, D3DSTREAMSOURCE_INDEXEDDATA | 3));
    OK(IDirect3DDevice9_ProcessVertices(device, 7, 0, 2, to, NULL, 0));
    for (n = 0; n < 2; n++)
        expect_words(to, 3 * n, (const DWORD *)points + 3, 3, "stride 0");
    OK(IDirect3DDevice9_SetStreamSourceFreq(device, 0, 1));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, 0xFFFFFFFF));
    INVALID(IDirect3DDevice9_ProcessVertices(device, 0xFFFFFFFF, 0, 4, to, NULL, 0));
    INVALID(IDirect3DDevice9_ProcessVertices(device, 0, 0, 2, to, NULL, 0));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 0));
    expect_words(to, 0, (const DWORD *)points, 3, "one vertex has no step");

    /* Over itself, as if all had been read first; locked on both sides. */
    OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, 12));
    OK(IDirect3DVertexBuffer9_Lock(from, 0, 0, &held, 0));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 1, 2, from, NULL, 0));
    CHECK(memcmp((float *)held + 3, points, 24) == 0, "a locked buffer does not show what was written");
    OK(IDirect3DVertexBuffer9_Unlock(from));
    expect_words(from, 3, (const DWORD *)points, 6, "over itself");

    /* While states are recorded it is not; in a scene and out of it is the same. */
    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_SetVertexShader(device, shaders[1]));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 3, 1, to, NULL, 0));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    expect_words(to, 9, (const DWORD *)points, 3, "the recorded shader does not run");

    /* A shader that nobody but the device holds. */
    OK(IDirect3DDevice9_SetVertexShader(device, shaders[1]));
    for (n = 0; n < 3; n++)
        IDirect3DVertexShader9_Release(shaders[n]);
    IDirect3DVertexDeclaration9_Release(declaration);
    IDirect3DVertexBuffer9_Release(from);
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 0));
    expect(to, 0, 2, "x and 1");

    IDirect3DStateBlock9_Release(block);
    OK(IDirect3DDevice9_SetVertexShader(device, NULL));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    CHECK(IDirect3DVertexBuffer9_Release(to) == 0, "the destination has references left");
}
#endif

int main(void)
{
    static const DWORD ways[] = { D3DCREATE_HARDWARE_VERTEXPROCESSING, D3DCREATE_SOFTWARE_VERTEXPROCESSING,
                                  D3DCREATE_MIXED_VERTEXPROCESSING };
    IDirect3D9 *d3d = make_d3d();
    unsigned n;
    for (n = 0; n < 3; n++) {
        D3DPRESENT_PARAMETERS p = windowed();
        IDirect3DDevice9 *device = NULL;
        OK(IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, p.hDeviceWindow, ways[n], &p, &device));
        if (!device)
            return 1;
        positions(device);
        elements(device);
        drawing(device);
#ifndef _WIN32
        programs(device);
#endif
        CHECK(IDirect3DDevice9_Release(device) == 0, "the device has references left");
    }
    IDirect3D9_Release(d3d);
    return finish("process_vertices");
}
