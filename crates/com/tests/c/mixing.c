/* Vertex and pixel shaders of unlike versions, and what reaches a pixel shader that nothing wrote. */
#include "visual.h"

/*
 * vs_1_1
 * dcl_position v0
 * dcl_color v1
 * dcl_color1 v2
 * dcl_texcoord v3
 * dcl_texcoord1 v4
 * mov oPos, v0
 * mov oD0, v1
 * mov oD1, v2
 * mov oT0, v3
 * mov oT1, v4
 */
static const DWORD vs_1[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x8000000A, 0x900F0001, 0x0000001F,
    0x8001000A, 0x900F0002, 0x0000001F, 0x80000005, 0x900F0003, 0x0000001F, 0x80010005, 0x900F0004,
    0x00000001, 0xC00F0000, 0x90E40000, 0x00000001, 0xD00F0000, 0x90E40001, 0x00000001, 0xD00F0001,
    0x90E40002, 0x00000001, 0xE00F0000, 0x90E40003, 0x00000001, 0xE00F0001, 0x90E40004, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * dcl_color v1
 * dcl_color1 v2
 * dcl_texcoord v3
 * dcl_texcoord1 v4
 * mov oPos, v0
 * mov oD0, v1
 * mov oD1, v2
 * mov oT0, v3
 * mov oT1, v4
 */
static const DWORD vs_2[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001, 0x0200001F,
    0x8001000A, 0x900F0002, 0x0200001F, 0x80000005, 0x900F0003, 0x0200001F, 0x80010005, 0x900F0004,
    0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xD00F0000, 0x90E40001, 0x02000001, 0xD00F0001,
    0x90E40002, 0x02000001, 0xE00F0000, 0x90E40003, 0x02000001, 0xE00F0001, 0x90E40004, 0x0000FFFF,
};

/*
 * vs_3_0
 * dcl_position v0
 * dcl_color v1
 * dcl_color1 v2
 * dcl_texcoord v3
 * dcl_texcoord1 v4
 * dcl_position o0
 * dcl_color o1
 * dcl_color1 o2
 * dcl_texcoord o3
 * dcl_texcoord1 o4
 * mov o0, v0
 * mov o1, v1
 * mov o2, v2
 * mov o3, v3
 * mov o4, v4
 */
static const DWORD vs_3[] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001, 0x0200001F,
    0x8001000A, 0x900F0002, 0x0200001F, 0x80000005, 0x900F0003, 0x0200001F, 0x80010005, 0x900F0004,
    0x0200001F, 0x80000000, 0xE00F0000, 0x0200001F, 0x8000000A, 0xE00F0001, 0x0200001F, 0x8001000A,
    0xE00F0002, 0x0200001F, 0x80000005, 0xE00F0003, 0x0200001F, 0x80010005, 0xE00F0004, 0x02000001,
    0xE00F0000, 0x90E40000, 0x02000001, 0xE00F0001, 0x90E40001, 0x02000001, 0xE00F0002, 0x90E40002,
    0x02000001, 0xE00F0003, 0x90E40003, 0x02000001, 0xE00F0004, 0x90E40004, 0x0000FFFF,
};

/*
 * vs_3_0
 * def c0, 0.1, 0.2, 0.3, 0.4
 * dcl_position v0
 * dcl_color v1
 * dcl_position o0
 * dcl_position1 o1
 * dcl_normal o2
 * dcl_blendweight o3
 * dcl_color2 o4
 * dcl_texcoord9 o5
 * dcl_tangent3 o6
 * dcl_texcoord5 o7.xy
 * dcl_texcoord6 o7.zw
 * mov o0, v0
 * mov o1, v1
 * mul o2, v1, c0.x
 * mul o3, v1, c0.y
 * mul o4, v1, c0.z
 * mul o5, v1, c0.w
 * mov o6, c0
 * mov o7, v1
 */
static const DWORD vs_3_odd[] = {
    0xFFFE0300, 0x05000051, 0xA00F0000, 0x3DCCCCCD, 0x3E4CCCCD, 0x3E99999A, 0x3ECCCCCD, 0x0200001F,
    0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001, 0x0200001F, 0x80000000, 0xE00F0000,
    0x0200001F, 0x80010000, 0xE00F0001, 0x0200001F, 0x80000003, 0xE00F0002, 0x0200001F, 0x80000001,
    0xE00F0003, 0x0200001F, 0x8002000A, 0xE00F0004, 0x0200001F, 0x80090005, 0xE00F0005, 0x0200001F,
    0x80030006, 0xE00F0006, 0x0200001F, 0x80050005, 0xE0030007, 0x0200001F, 0x80060005, 0xE00C0007,
    0x02000001, 0xE00F0000, 0x90E40000, 0x02000001, 0xE00F0001, 0x90E40001, 0x03000005, 0xE00F0002,
    0x90E40001, 0xA0000000, 0x03000005, 0xE00F0003, 0x90E40001, 0xA0550000, 0x03000005, 0xE00F0004,
    0x90E40001, 0xA0AA0000, 0x03000005, 0xE00F0005, 0x90E40001, 0xA0FF0000, 0x02000001, 0xE00F0006,
    0xA0E40000, 0x02000001, 0xE00F0007, 0x90E40001, 0x0000FFFF,
};

/*
 * vs_1_1
 * dcl_position v0
 * mov oPos, v0
 */
static const DWORD vs_1_bare[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x00000001, 0xC00F0000, 0x90E40000, 0x0000FFFF,
};

/*
 * vs_1_1
 * def c0, 0.5, 0.5, 0.5, 0.5
 * dcl_position v0
 * mov oPos, v0
 * mov oD0.xy, c0
 * mov oD1.xy, c0
 * mov oT0.xy, c0
 */
static const DWORD vs_1_part[] = {
    0xFFFE0101, 0x00000051, 0xA00F0000, 0x3F000000, 0x3F000000, 0x3F000000, 0x3F000000, 0x0000001F,
    0x80000000, 0x900F0000, 0x00000001, 0xC00F0000, 0x90E40000, 0x00000001, 0xD0030000, 0xA0E40000,
    0x00000001, 0xD0030001, 0xA0E40000, 0x00000001, 0xE0030000, 0xA0E40000, 0x0000FFFF,
};

/*
 * vs_2_0
 * dcl_position v0
 * mov oPos, v0
 */
static const DWORD vs_2_bare[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF,
};

/*
 * vs_3_0
 * dcl_position v0
 * dcl_position o0
 * mov o0, v0
 */
static const DWORD vs_3_bare[] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000000, 0xE00F0000, 0x02000001,
    0xE00F0000, 0x90E40000, 0x0000FFFF,
};

/*
 * vs_3_0
 * def c0, 0.5, 0.5, 0.5, 0.5
 * dcl_position v0
 * dcl_position o0
 * dcl_color o1.xy
 * dcl_color1 o2.xy
 * dcl_texcoord o3.xy
 * mov o0, v0
 * mov o1.xy, c0
 * mov o2.xy, c0
 * mov o3.xy, c0
 */
static const DWORD vs_3_part[] = {
    0xFFFE0300, 0x05000051, 0xA00F0000, 0x3F000000, 0x3F000000, 0x3F000000, 0x3F000000, 0x0200001F,
    0x80000000, 0x900F0000, 0x0200001F, 0x80000000, 0xE00F0000, 0x0200001F, 0x8000000A, 0xE0030001,
    0x0200001F, 0x8001000A, 0xE0030002, 0x0200001F, 0x80000005, 0xE0030003, 0x02000001, 0xE00F0000,
    0x90E40000, 0x02000001, 0xE0030001, 0xA0E40000, 0x02000001, 0xE0030002, 0xA0E40000, 0x02000001,
    0xE0030003, 0xA0E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * mov r0, v0
 */
static const DWORD ps_1_diffuse[] = {
    0xFFFF0101, 0x00000001, 0x800F0000, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * mov r0, v1
 */
static const DWORD ps_1_specular[] = {
    0xFFFF0101, 0x00000001, 0x800F0000, 0x90E40001, 0x0000FFFF,
};

/*
 * ps_1_4
 * texcrd r0.xyz, t0
 * mov r0.w, v0
 */
static const DWORD ps_14_coordinates[] = {
    0xFFFF0104, 0x00000040, 0x80070000, 0xB0E40000, 0x00000001, 0x80080000, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl v0
 * mov oC0, v0
 */
static const DWORD ps_2_diffuse[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl v1
 * mov oC0, v1
 */
static const DWORD ps_2_specular[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0001, 0x02000001, 0x800F0800, 0x90E40001, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t1
 * mov oC0, t1
 */
static const DWORD ps_2_t1[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0001, 0x02000001, 0x800F0800, 0xB0E40001, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_color v0
 * mov oC0, v0
 */
static const DWORD ps_3_diffuse[] = {
    0xFFFF0300, 0x0200001F, 0x8000000A, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_color1 v0
 * mov oC0, v0
 */
static const DWORD ps_3_specular[] = {
    0xFFFF0300, 0x0200001F, 0x8001000A, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord v0
 * mov oC0, v0
 */
static const DWORD ps_3_t0[] = {
    0xFFFF0300, 0x0200001F, 0x80000005, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord1 v0
 * mov oC0, v0
 */
static const DWORD ps_3_t1[] = {
    0xFFFF0300, 0x0200001F, 0x80010005, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_position1 v3
 * mov oC0, v3
 */
static const DWORD ps_3_position1[] = {
    0xFFFF0300, 0x0200001F, 0x80010000, 0x900F0003, 0x02000001, 0x800F0800, 0x90E40003, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_normal v0
 * mov oC0, v0
 */
static const DWORD ps_3_normal[] = {
    0xFFFF0300, 0x0200001F, 0x80000003, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_blendweight v0
 * mov oC0, v0
 */
static const DWORD ps_3_weight[] = {
    0xFFFF0300, 0x0200001F, 0x80000001, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_color2 v0
 * mov oC0, v0
 */
static const DWORD ps_3_color2[] = {
    0xFFFF0300, 0x0200001F, 0x8002000A, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord9 v0
 * mov oC0, v0
 */
static const DWORD ps_3_t9[] = {
    0xFFFF0300, 0x0200001F, 0x80090005, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_tangent3 v0
 * mov oC0, v0
 */
static const DWORD ps_3_tangent3[] = {
    0xFFFF0300, 0x0200001F, 0x80030006, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_texcoord5 v0.xy
 * dcl_texcoord6 v0.zw
 * mov oC0, v0
 */
static const DWORD ps_3_packed[] = {
    0xFFFF0300, 0x0200001F, 0x80050005, 0x90030000, 0x0200001F, 0x80060005, 0x900C0000, 0x02000001,
    0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_fog v0.x
 * mov oC0, v0.x
 */
static const DWORD ps_3_fog[] = {
    0xFFFF0300, 0x0200001F, 0x8000000B, 0x90010000, 0x02000001, 0x800F0800, 0x90000000, 0x0000FFFF,
};

/*
 * ps_3_0
 * dcl_position v0
 * mov oC0, v0
 */
static const DWORD ps_3_position[] = {
    0xFFFF0300, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * def c0, 0.25, 0, 0, 1
 * mov oDepth, c0.x
 */
static const DWORD no_color[] = {
    0xFFFF0300, 0x05000051, 0xA00F0000, 0x3E800000, 0x00000000, 0x00000000, 0x3F800000, 0x02000001,
    0x900F0800, 0xA0000000, 0x0000FFFF,
};

struct vertex {
    float x, y, z;
    DWORD diffuse, specular;
    float t0[4], t1[4];
};

static struct vertex quad[4];

static DWORD drawn(void)
{
    clear_target(0xFF123456);
    draw_up(D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]);
    return pixel(device, EDGE / 2, EDGE / 2);
}

static void check(const char *what, const DWORD *vs, const DWORD *ps, DWORD want)
{
    DWORD got;
    use_vs(vs);
    use_ps(ps);
    got = drawn();
    CHECK(close_to(got, want, 1), "%s: %08x, not %08x", what, (unsigned)got, (unsigned)want);
}

#define PAIR(vs, ps, want) check(#vs " and " #ps, vs, ps, want)

static void every_pair(void)
{
    static const DWORD *const vertex[] = { NULL, vs_1, vs_2, vs_3 };
    int i;
    for (i = 0; i < 4; i++) {
        const DWORD *vs = vertex[i];
        PAIR(vs, NULL, 0x80FF8040);
        PAIR(vs, ps_1_diffuse, 0x80FF8040);
        PAIR(vs, ps_1_specular, 0x40204080);
        PAIR(vs, ps_14_coordinates, 0x801A334D);
        PAIR(vs, ps_2_diffuse, 0x80FF8040);
        PAIR(vs, ps_2_specular, 0x40204080);
        PAIR(vs, ps_2_t1, 0xCC8099B3);
        PAIR(vs, ps_3_diffuse, 0x80FF8040);
        PAIR(vs, ps_3_specular, 0x40204080);
        /* wined3d gives ps_3_0 no coordinates of fixed-function vertices. */
        if (vs) {
            PAIR(vs, ps_3_t0, 0x661A334D);
            PAIR(vs, ps_3_t1, 0xCC8099B3);
        }
    }
}

/* Shader Model 3 links any usage. */
static void semantics(void)
{
    PAIR(vs_3_odd, ps_3_position1, 0x80FF8040);
    PAIR(vs_3_odd, ps_3_normal, 0x0D1A0D06);
    PAIR(vs_3_odd, ps_3_weight, 0x1A331A0D);
    PAIR(vs_3_odd, ps_3_color2, 0x264D2613);
    PAIR(vs_3_odd, ps_3_t9, 0x3366331A);
    PAIR(vs_3_odd, ps_3_tangent3, 0x661A334D);
    /* wined3d knows one usage of a register. */
    OURS(PAIR(vs_3_odd, ps_3_packed, 0x80FF8040));
    PAIR(vs_3_odd, ps_3_t1, 0);
}

/* What the vertex shader does not write is white for the diffuse colour before ps_3_0, and 0 otherwise. */
static void unwritten(void)
{
    static const DWORD *const bare[] = { vs_1_bare, vs_2_bare, vs_3_bare };
    int i;
    for (i = 0; i < 3; i++) {
        PAIR(bare[i], NULL, 0xFFFFFFFF);
        PAIR(bare[i], ps_1_diffuse, 0xFFFFFFFF);
        PAIR(bare[i], ps_1_specular, 0);
        PAIR(bare[i], ps_2_diffuse, 0xFFFFFFFF);
        PAIR(bare[i], ps_2_specular, 0);
        PAIR(bare[i], ps_2_t1, 0);
        PAIR(bare[i], ps_3_diffuse, 0);
        PAIR(bare[i], ps_3_specular, 0);
        PAIR(bare[i], ps_3_t0, 0);
        PAIR(bare[i], ps_3_fog, 0);
    }
    PAIR(vs_1_part, NULL, 0xFF8080FF);
    PAIR(vs_1_part, ps_2_diffuse, 0xFF8080FF);
    PAIR(vs_1_part, ps_2_specular, 0x00808000);
    PAIR(vs_1_part, ps_3_diffuse, 0x00808000);
    PAIR(vs_1_part, ps_3_t0, 0x00808000);
    PAIR(vs_3_part, NULL, 0xFF8080FF);
    PAIR(vs_3_part, ps_2_diffuse, 0xFF8080FF);
    PAIR(vs_3_part, ps_2_specular, 0x00808000);
    PAIR(vs_3_part, ps_3_diffuse, 0x00808000);
    PAIR(vs_3_part, ps_3_t0, 0x00808000);
    /* A pixel shader without a colour leaves the target alone. */
    PAIR(vs_3, no_color, 0xFF123456);
}

/* Flat shading takes the first vertex's colour, but not for what a vertex shader hands to ps_3_0. */
static void flat(void)
{
    static const struct {
        const char *name;
        const DWORD *vs, *ps;
        DWORD want;
    } table[] = {
        { "fixed", NULL, NULL, 0xFF0000 },           { "fixed and ps_1_1", NULL, ps_1_diffuse, 0xFF0000 },
        { "fixed and ps_3_0", NULL, ps_3_diffuse, 0xFF0000 },
        { "vs_1_1", vs_1, NULL, 0xFF0000 },          { "vs_1_1 and ps_1_1", vs_1, ps_1_diffuse, 0xFF0000 },
        { "vs_2_0 and ps_2_0", vs_2, ps_2_diffuse, 0xFF0000 },
        { "vs_3_0 and ps_2_0", vs_3, ps_2_diffuse, 0xFF0000 },
        { "vs_1_1 and ps_3_0", vs_1, ps_3_diffuse, 0x807F00 },
        { "vs_3_0 and ps_3_0", vs_3, ps_3_diffuse, 0x807F00 },
    };
    unsigned i;
    for (i = 0; i < 4; i++)
        quad[i].diffuse = i ? 0xFF00FF00 : 0xFFFF0000;
    state(D3DRS_SHADEMODE, D3DSHADE_FLAT);
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        use_vs(table[i].vs);
        use_ps(table[i].ps);
        drawn();
        /* A quarter of the way to vertex 1 and to vertex 2. */
        EXPECT_AT(device, EDGE / 4, EDGE / 4, table[i].want, table[i].name);
    }
    state(D3DRS_SHADEMODE, D3DSHADE_GOURAUD);
    for (i = 0; i < 4; i++)
        quad[i].diffuse = 0x80FF8040;
}

/* Without oFog and table fog, everything is fog; ps_3_0 is never fogged. */
static void fog(void)
{
    state(D3DRS_FOGENABLE, TRUE);
    state(D3DRS_FOGCOLOR, 0x00FF00FF);
    PAIR(vs_1, ps_1_diffuse, 0x80FF00FF);
    PAIR(vs_2, ps_2_diffuse, 0x80FF00FF);
    PAIR(vs_1, NULL, 0x80FF00FF);
    PAIR(vs_1_bare, ps_2_t1, 0x00FF00FF);
    PAIR(vs_1, ps_3_diffuse, 0x80FF8040);
    PAIR(vs_3, ps_3_diffuse, 0x80FF8040);
    state(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    state(D3DRS_FOGSTART, float_bits(0));
    state(D3DRS_FOGEND, float_bits(1));
    /* z is 0.5: half of the colour, half of the fog. */
    PAIR(vs_1, ps_1_diffuse, 0x80FF40A0);
    PAIR(vs_2, ps_2_diffuse, 0x80FF40A0);
    PAIR(vs_1, NULL, 0x80FF40A0);
    PAIR(vs_3, ps_3_diffuse, 0x80FF8040);
    state(D3DRS_FOGTABLEMODE, D3DFOG_NONE);
    state(D3DRS_FOGENABLE, FALSE);
}

int main(void)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
                                                  { 0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0 },
                                                  { 0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 1 },
                                                  { 0, 20, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0 },
                                                  { 0, 36, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 1 },
                                                  D3DDECL_END() };
    static const float t0[4] = { 0.1f, 0.2f, 0.3f, 0.4f }, t1[4] = { 0.5f, 0.6f, 0.7f, 0.8f };
    IDirect3DPixelShader9 *refused = NULL;
    int i;
    start();
    use_declaration(elements);
    for (i = 0; i < 4; i++) {
        memcpy(&quad[i].x, corners + 3 * i, 12);
        quad[i].diffuse = 0x80FF8040;
        quad[i].specular = 0x40204080;
        memcpy(quad[i].t0, t0, sizeof t0);
        memcpy(quad[i].t1, t1, sizeof t1);
    }
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_DIFFUSE));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE));
    every_pair();
    semantics();
    unwritten();
    flat();
    fog();
    INVALID(IDirect3DDevice9_CreatePixelShader(device, ps_3_position, &refused));
    use_vs(NULL);
    use_ps(NULL);
    return stop("mixing");
}
