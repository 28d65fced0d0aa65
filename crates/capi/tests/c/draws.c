/* Every draw entry point, with pixels worked out by hand. */
#include "common.h"
#include "shaders.h"

enum { SELECTARG1 = 2, SELECTARG2 = 3, MODULATE = 4, ADD = 7, MULTIPLYADD = 25, LERP = 26 };
enum { DIFFUSE = 0, CURRENT = 1, TEXTURE = 2, TFACTOR = 3, SPECULAR = 4, TEMP = 5, CONSTANT = 6 };

static void pretransformed(nf_renderer renderer)
{
    nf_context context = make_context(renderer, EDGE, EDGE);
    nf_draw_state state = draw_state();
    quad q = make_quad(2, 3, 6, 5, 0.5f, 0xFF40C080);
    nf_vertex_rhw spread[4 * 2];
    const uint16_t order[] = { 0, 1, 2, 2, 1, 3 };
    const uint32_t *found;
    uint64_t triangles;
    unsigned x, y;

    OK(nf_clear(context, 0xFF102030));
    OK(draw_quad(context, &state, &q));
    found = pixels(context, EDGE, EDGE);
    for (y = 0; y < EDGE; y++)
        for (x = 0; x < EDGE; x++) {
            uint32_t expected = x >= 2 && x < 6 && y >= 3 && y < 5 ? 0xFF40C080 : 0xFF102030;
            CHECK(found[y * EDGE + x] == expected, "(%u, %u): %08x", x, y, found[y * EDGE + x]);
        }

    /* Indices, and a stride of two vertices. */
    memset(spread, 0xFF, sizeof spread);
    q = make_quad(0, 0, EDGE, 1, 0.5f, 0xFFABCDEF);
    for (x = 0; x < 4; x++)
        spread[2 * x] = q.v[x];
    OK(nf_draw_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, spread, 2 * sizeof spread[0], 4, order, 6));
    found = pixels(context, EDGE, EDGE);
    CHECK(found[0] == 0xFFABCDEF && found[EDGE - 1] == 0xFFABCDEF && found[EDGE] == 0xFF102030,
          "indices: %08x %08x %08x", found[0], found[EDGE - 1], found[EDGE]);
    OK(nf_triangles(context, &triangles));
    CHECK(triangles == 4, "%u triangles", (unsigned)triangles);

    /* The viewport cuts, and does not move. */
    OK(nf_clear(context, 0xFF000000));
    OK(nf_set_viewport(context, 1, 1, 2, 100));
    q = make_quad(0, 0, EDGE, EDGE, 0.5f, 0xFFFFFFFF);
    OK(draw_quad(context, &state, &q));
    found = pixels(context, EDGE, EDGE);
    CHECK(found[EDGE + 1] == 0xFFFFFFFF && found[7 * EDGE + 2] == 0xFFFFFFFF, "inside the viewport");
    CHECK(found[1] == 0xFF000000 && found[EDGE] == 0xFF000000 && found[EDGE + 3] == 0xFF000000,
          "outside the viewport");
    OK(nf_set_viewport(context, 8, 8, 5, 5));
    OK(draw_quad(context, &state, &q));
    OK(nf_destroy(context));
}

/* One pixel of a context that was drawn over with this state and these coordinates. */
static uint32_t textured(nf_context context, const nf_draw_state *state, float u, uint32_t color)
{
    quad q = make_quad(0, 0, 1, 1, 0.5f, color);
    int i;
    for (i = 0; i < 4; i++)
        q.v[i].u = u, q.v[i].v = 0.5f;
    OK(nf_clear(context, 0));
    OK(draw_quad(context, state, &q));
    return pixels(context, 1, 1)[0];
}

static void textures_of_rhw(nf_renderer renderer)
{
    static const uint32_t texels[] = { 0xFF8040FF, 0x80FFFFFF };
    static const uint32_t ends[] = { 0xFF000000, 0xFFFFFFFF };
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state state = draw_state();
    nf_sampler sampler;

    state.texture = make_texture(renderer, 2, 1, texels);
    /* 128 * 1, 64 * 128/255, 255 * 0. */
    EXPECT(textured(context, &state, 0.25f, 0xFFFF8000), 0xFF802000, "modulated");
    EXPECT(textured(context, &state, 0.75f, 0xFFFF8000), 0x80FF8000, "alpha of the texture");
    state.texture_color_only = 1;
    EXPECT(textured(context, &state, 0.75f, 0xC0FF8000), 0xC0FF8000, "alpha of the vertex");
    state.texture_color_only = 0;
    OK(nf_texture_destroy(state.texture));

    state.texture = make_texture(renderer, 2, 1, ends);
    EXPECT(textured(context, &state, 1.25f, 0xFFFFFFFF), 0xFF000000, "wraps");
    state.address_clamp = 1;
    EXPECT(textured(context, &state, 1.25f, 0xFFFFFFFF), 0xFFFFFFFF, "clamps");
    state.linear_filter = 1;
    EXPECT(textured(context, &state, 0.5f, 0xFFFFFFFF), 0xFF808080, "halfway between two texels");
    EXPECT(textured(context, &state, 0.375f, 0xFFFFFFFF), 0xFF404040, "a quarter");
    /* A whole description counts instead. */
    memset(&sampler, 0, sizeof sampler);
    state.sampler = &sampler;
    EXPECT(textured(context, &state, 1.25f, 0xFFFFFFFF), 0xFF000000, "zeros wrap");
    sampler.address_u = 2;
    EXPECT(textured(context, &state, 1.25f, 0xFFFFFFFF), 0xFFFFFFFF, "mirrors");
    sampler.address_u = 4;
    sampler.border_color = 0xFF00FF80;
    EXPECT(textured(context, &state, 1.25f, 0xFFFFFFFF), 0xFF00FF80, "the border");
    sampler.address_u = 1;
    sampler.min_filter = sampler.mag_filter = 2;
    EXPECT(textured(context, &state, 0.5f, 0xFFFFFFFF), 0xFF808080, "linear");
    OK(nf_texture_destroy(state.texture));
    OK(nf_destroy(context));
}

static uint32_t fixed(nf_context context, const nf_fixed_state *state, const fixed_quad *q)
{
    OK(nf_clear(context, 0));
    OK(nf_draw_fixed_rhw(context, state, NF_PRIMITIVE_TRIANGLE_STRIP, q->v, 4, NULL, 0));
    return pixels(context, 1, 1)[0];
}

static void cascades(nf_renderer renderer)
{
    static const uint32_t texels[] = { 0xFF808080, 0xFFFF0000 };
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state common = draw_state();
    nf_fixed_state state;
    fixed_quad q = make_fixed_quad(0, 0, 1, 1);
    int i;

    for (i = 0; i < 4; i++) {
        q.v[i].color[1] = 0.5f;
        q.v[i].color[2] = 0;
        q.v[i].color[3] = 0.75f;
        q.v[i].specular[0] = 0.2f;
        q.v[i].specular[3] = 0.25f;
        q.v[i].uv[0][0] = 0.25f;
        q.v[i].uv[5][0] = 0.75f;
    }
    OK(nf_fixed_state_init(&state, sizeof state));
    EXPECT(fixed(context, &state, &q), argb(0.75, 1, 0.5, 0), "the diffuse colour");

    /* 128, 64, 0 and then more. */
    state.draw = &common;
    state.texture_factor = 0x00102030;
    state.stages[0].color_op = MODULATE;
    state.stages[0].color_arg1 = TEXTURE;
    state.stages[0].color_arg2 = DIFFUSE;
    state.stages[0].alpha_op = SELECTARG2;
    state.stages[0].alpha_arg2 = DIFFUSE;
    state.stages[0].texture = make_texture(renderer, 2, 1, texels);
    state.stages[1].color_op = ADD;
    state.stages[1].color_arg1 = CURRENT;
    state.stages[1].color_arg2 = TFACTOR;
    EXPECT(fixed(context, &state, &q), 0xBF906030, "modulate, then add");
    state.stages[0].texcoord_index = 5;
    EXPECT(fixed(context, &state, &q), 0xBFFF2030, "another set of coordinates");
    state.stages[0].texcoord_index = 0;

    /* Fog: a quarter of what it was, three quarters blue. */
    common.fog = 1;
    common.fog_color = 0x000000FF;
    EXPECT(fixed(context, &state, &q), argb(0.75, 144 / 1020.0, 96 / 1020.0, 0.75 + 48 / 1020.0), "fog");
    common.fog = 0;

    /* The temporary register, a constant, a complement and alphas. */
    state.stages[0].color_op = SELECTARG1;
    state.stages[0].color_arg1 = TFACTOR;
    state.stages[0].result_arg = 5;
    state.stages[1].color_op = LERP;
    state.stages[1].color_arg0 = CONSTANT;
    state.stages[1].color_arg1 = TEMP;
    state.stages[1].color_arg2 = CURRENT | 0x10;
    state.stages[1].constant = 0xFF4080FF;
    /* Per channel c * t + (1 - c) * (1 - d). */
    EXPECT(fixed(context, &state, &q),
           argb(0.75, 64 / 255.0 * 16 / 255, 128 / 255.0 * 32 / 255 + 127 / 255.0 * 0.5, 48 / 255.0), "lerp");
    state.stages[1].color_op = MULTIPLYADD;
    state.stages[1].color_arg0 = SPECULAR;
    state.stages[1].color_arg1 = DIFFUSE | 0x20;
    state.stages[1].color_arg2 = CONSTANT;
    EXPECT(fixed(context, &state, &q),
           argb(0.75, 0.2 + 0.75 * 64 / 255, 0.75 * 128 / 255, 0.75), "multiply and add");
    /* Old numbers in what nothing reads do no harm, be it a texture that is gone. */
    state.stages[1].color_op = SELECTARG2;
    state.stages[1].color_arg0 = state.stages[1].color_arg1 = 0xFFFFFFFF;
    OK(nf_texture_destroy(state.stages[0].texture));
    state.stages[3].color_op = 99;
    EXPECT(fixed(context, &state, &q), 0xBF4080FF, "unread");
    OK(nf_destroy(context));
}

static void clip_space(nf_renderer renderer)
{
    nf_context context = make_context(renderer, EDGE, EDGE);
    nf_fixed_state state;
    nf_vertex_fixed_clip v[4];
    const uint32_t *found;
    unsigned i, x, y;

    memset(v, 0, sizeof v);
    for (i = 0; i < 4; i++) {
        v[i].x = i & 1 ? 2.0f : -2.0f;
        v[i].y = i & 2 ? -2.0f : 2.0f;
        v[i].z = 1;
        v[i].w = 2;
        v[i].color[0] = v[i].color[3] = 1;
    }
    OK(nf_fixed_state_init(&state, sizeof state));
    OK(nf_set_viewport(context, 2, 3, 4, 2));
    OK(nf_draw_fixed_clip(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, v, 4, NULL, 0));
    found = pixels(context, EDGE, EDGE);
    for (y = 0; y < EDGE; y++)
        for (x = 0; x < EDGE; x++) {
            uint32_t expected = x >= 2 && x < 6 && y >= 3 && y < 5 ? 0xFFFF0000 : 0xFF000000;
            CHECK(found[y * EDGE + x] == expected, "clip (%u, %u): %08x", x, y, found[y * EDGE + x]);
        }
    /* The left half of the clip space is the left half of the viewport. */
    OK(nf_clear(context, 0xFF000000));
    v[1].x = v[3].x = 0;
    OK(nf_draw_fixed_clip(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, v, 4, NULL, 0));
    found = pixels(context, EDGE, EDGE);
    CHECK(found[3 * EDGE + 3] == 0xFFFF0000 && found[3 * EDGE + 4] == 0xFF000000, "halves");
    OK(nf_destroy(context));
}

typedef struct vertex {
    float position[4];
    uint32_t color;
    float uv[2];
} vertex;

static void whole(vertex v[4], uint32_t color)
{
    int i;
    memset(v, 0, 4 * sizeof *v);
    for (i = 0; i < 4; i++) {
        v[i].position[0] = i & 1 ? 1.5f : -1.5f;
        v[i].position[1] = i & 2 ? -1.5f : 1.5f;
        v[i].position[2] = 0.5f;
        v[i].position[3] = 1;
        v[i].color = color;
        v[i].uv[0] = v[i].uv[1] = 0.5f;
    }
}

static nf_shader shader(nf_renderer renderer, uint32_t stage, const uint32_t *tokens, size_t size)
{
    nf_shader made, again;
    uint64_t key = 0, same = 0;
    OK(nf_shader_created(renderer, stage, tokens, (uint32_t)(size / 4), &key, &made));
    OK(nf_shader_created(renderer, stage, tokens, (uint32_t)(size / 4), &same, &again));
    CHECK(key != 0 && key == same && made.id == again.id, "the same tokens are the same shader");
    return made;
}

#define SHADER(stage, tokens) shader(renderer, NF_STAGE_##stage, tokens, sizeof tokens)

static const nf_vertex_element declaration[] = {
    { 0, 0, 3, 0, 0, 0 }, { 0, 16, 4, 0, 10, 0 }, { 0, 20, 1, 0, 5, 0 }, { 0xFF, 0, 17, 0, 0, 0 },
};

static uint32_t program(nf_context context, const nf_program_state *state, const vertex *v)
{
    OK(nf_clear(context, 0));
    OK(nf_draw_program(context, state, NF_PRIMITIVE_TRIANGLE_STRIP, v, sizeof *v, 4, NULL, 0));
    return pixels(context, 1, 1)[0];
}

static void programs(nf_renderer renderer)
{
    static const nf_vertex_element two_streams[] = {
        { 0, 0, 3, 0, 0, 0 }, { 3, 4, 4, 0, 10, 0 }, { 0, 20, 1, 0, 5, 0 }, { 0xFF, 0, 17, 0, 0, 0 },
    };
    static const nf_vertex_element position[] = { { 0, 0, 3, 0, 0, 0 }, { 0xFF, 0, 17, 0, 0, 0 } };
    static const float half_green[] = { 1, 0.5f, 1, 1 };
    static const uint32_t texel = 0xFF80FF40;
    const uint32_t colors[8] = { 9, 0xFF00FF00, 9, 0xFF00FF00, 9, 0xFF00FF00, 9, 0xFF00FF00 };
    float file[6 * 4] = { 0 };
    int32_t ints[] = { 3, 0, 0, 0 };
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state common = draw_state();
    nf_program_state state;
    nf_fixed_state cascade;
    nf_stream stream;
    nf_texture texture = make_texture(renderer, 1, 1, &texel);
    vertex v[4];

    whole(v, 0xFFFF8040);
    OK(nf_program_state_init(&state, sizeof state));
    state.elements = declaration;
    state.element_count = 4;
    state.vertex_shader = SHADER(VERTEX, vs_1_1_plain);
    state.vertex_floats = half_green;
    state.vertex_float_count = 1;
    EXPECT(program(context, &state, v), 0xFFFF4040, "a vertex shader alone");
    state.pixel_shader = SHADER(PIXEL, ps_1_1_color);
    state.pixel_floats = half_green;
    state.pixel_float_count = 1;
    EXPECT(program(context, &state, v), 0xFFFF2040, "both shaders");
    state.pixel_shader = SHADER(PIXEL, ps_1_1_texture);
    state.textures = &texture;
    state.texture_count = 1;
    EXPECT(program(context, &state, v), 0xFF804010, "a texture");
    state.texture_count = 0;
    EXPECT(program(context, &state, v), 0xFF000000, "no texture is opaque black");

    /* The cascade after a vertex shader. */
    OK(nf_fixed_state_init(&cascade, sizeof cascade));
    cascade.stages[0].color_op = ADD;
    cascade.stages[0].color_arg1 = TEXTURE;
    cascade.stages[0].color_arg2 = DIFFUSE;
    cascade.stages[0].texture = texture;
    state.pixel_shader.id = 0;
    state.fixed = &cascade;
    EXPECT(program(context, &state, v), 0xFFFFFF80, "the cascade");
    state.fixed = NULL;

    /* Colours from a stream of their own. */
    memset(&stream, 0, sizeof stream);
    stream.stream = 3;
    stream.stride = 8;
    stream.data = colors;
    stream.size = sizeof colors;
    state.elements = two_streams;
    state.streams = &stream;
    state.stream_count = 1;
    EXPECT(program(context, &state, v), 0xFF008000, "a second stream");

    /* Flow control by integers and booleans. */
    file[4 * 4] = 0.2f;
    file[5 * 4 + 1] = 0.4f;
    OK(nf_program_state_init(&state, sizeof state));
    state.elements = position;
    state.element_count = 2;
    state.vertex_shader = SHADER(VERTEX, vs_2_0_flow);
    state.vertex_floats = file;
    state.vertex_float_count = 6;
    state.vertex_ints = ints;
    state.vertex_int_count = 1;
    EXPECT(program(context, &state, v), argb(1, 0.6, 0, 0), "rep i0");
    state.vertex_bools = 1u << 3;
    EXPECT(program(context, &state, v), argb(1, 0.6, 0.4, 0), "if b3");
    ints[0] = 1;
    EXPECT(program(context, &state, v), argb(1, 0.2, 0.4, 0), "other integers");

    /* oFog. */
    OK(nf_program_state_init(&state, sizeof state));
    common.fog = 1;
    common.fog_color = 0x0000FF00;
    state.draw = &common;
    state.elements = declaration;
    state.element_count = 4;
    state.vertex_shader = SHADER(VERTEX, vs_1_1_fog);
    file[0] = 0.25f;
    state.vertex_floats = file;
    state.vertex_float_count = 1;
    whole(v, 0xFFFF0000);
    EXPECT(program(context, &state, v), argb(1, 0.25, 0.75, 0), "fog of a vertex shader");
    state.pixel_shader = SHADER(PIXEL, ps_1_1_color);
    state.pixel_floats = half_green;
    state.pixel_float_count = 1;
    EXPECT(program(context, &state, v), argb(1, 0.25, 0.75, 0), "fog after a pixel shader");
    OK(nf_texture_destroy(texture));
    OK(nf_destroy(context));
}

static uint32_t program_rhw(nf_context context, const nf_program_state *state, const fixed_quad *q)
{
    OK(nf_clear(context, 0));
    OK(nf_draw_program_rhw(context, state, NF_PRIMITIVE_TRIANGLE_STRIP, q->v, 4, NULL, 0));
    return pixels(context, 1, 1)[0];
}

static void programs_rhw(nf_renderer renderer)
{
    static const uint32_t texel = 0xFF804020;
    static const uint32_t faces[6] = { 0xFF110000, 0xFF220000, 0xFF330000, 0xFF440000, 0xFF550000, 0xFF660000 };
    static const float directions[6][4] = {
        { 1, 0, 0, 0 }, { -1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, -1, 0 },
    };
    static const uint32_t slices[2] = { 0xFF0000AA, 0xFF0000BB };
    nf_context context = make_context(renderer, 1, 1);
    nf_program_state state;
    nf_texture textures[2] = { { 0 }, { 0 } }, cube;
    fixed_quad q = make_fixed_quad(0, 0, 1, 1);
    float file[3 * 4] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0.5f, 1, 1 };
    int32_t ints[8] = { 0, 0, 0, 0, 2, 0, 0, 0 };
    int i;

    OK(nf_program_state_init(&state, sizeof state));
    state.pixel_floats = file;
    state.pixel_float_count = 3;
    textures[0] = make_texture(renderer, 1, 1, &texel);
    state.textures = textures;
    state.texture_count = 2;
    state.pixel_shader = SHADER(PIXEL, ps_2_0_texture);
    for (i = 0; i < 4; i++)
        q.v[i].color[0] = 0.5f;
    EXPECT(program_rhw(context, &state, &q), 0xFF402020, "texture, diffuse and constant");

    OK(nf_texture_create_cached_cube(renderer, 77, 1, faces, sizeof faces, &textures[1]));
    cube = textures[1];
    state.pixel_shader = SHADER(PIXEL, ps_2_0_cube);
    for (i = 0; i < 6; i++) {
        memcpy(file, directions[i], sizeof directions[i]);
        EXPECT(program_rhw(context, &state, &q), faces[i], "a face of a cube");
    }
    OK(nf_texture_create_cached_volume(renderer, 78, 1, 1, 2, slices, sizeof slices, &textures[1]));
    state.pixel_shader = SHADER(PIXEL, ps_2_0_volume);
    for (i = 0; i < 2; i++) {
        file[0] = file[1] = 0.5f;
        file[2] = i ? 0.75f : 0.25f;
        EXPECT(program_rhw(context, &state, &q), slices[i], "a slice of a volume");
    }
    /* A cube where a flat texture is declared is opaque black, times what follows. */
    textures[0] = cube;
    state.pixel_shader = SHADER(PIXEL, ps_2_0_texture);
    EXPECT(program_rhw(context, &state, &q), 0xFF000000, "the wrong kind of texture");

    state.pixel_shader = SHADER(PIXEL, ps_3_0_flow);
    file[0] = 0.2f, file[1] = 0, file[2] = 0, file[3] = 1;
    file[4] = 0.1f, file[5] = 0.1f, file[6] = 0, file[7] = 0;
    file[8] = 0, file[9] = 0, file[10] = 0.6f, file[11] = 0;
    state.pixel_ints = ints;
    state.pixel_int_count = 2;
    EXPECT(program_rhw(context, &state, &q), argb(1, 0.4, 0.2, 0), "rep i1 of a pixel shader");
    state.pixel_bools = 1u << 2;
    EXPECT(program_rhw(context, &state, &q), argb(1, 0.4, 0.2, 0.6), "if b2 of a pixel shader");
    OK(nf_destroy(context));
}

static void residents(nf_renderer renderer)
{
    nf_context context = make_context(renderer, 1, 1);
    nf_program_state state;
    nf_traffic before, after;
    nf_buffer buffer;
    vertex v[4], other[4];
    static const float ones[] = { 1, 1, 1, 1 };

    whole(v, 0xFF112233);
    whole(other, 0xFF445566);
    OK(nf_buffer_create(renderer, v, sizeof v, &buffer));
    OK(nf_program_state_init(&state, sizeof state));
    state.elements = declaration;
    state.element_count = 4;
    state.vertex_shader = SHADER(VERTEX, vs_1_1_plain);
    state.vertex_floats = ones;
    state.vertex_float_count = 1;
    state.resident = buffer;
    OK(nf_set_fast_paths(renderer, 1));
    OK(nf_draw_traffic_stats(renderer, &before, sizeof before));
    /* That other bytes are drawn than were given shows where they come from. */
    EXPECT(program(context, &state, other), 0xFF112233, "vertices of the buffer");
    OK(nf_draw_traffic_stats(renderer, &after, sizeof after));
    CHECK(after.resident_draws == before.resident_draws + 1, "one draw from a buffer");
    CHECK(after.resident_bytes >= before.resident_bytes + sizeof v, "its bytes are counted");
    CHECK(after.arena_vertex_bytes == before.arena_vertex_bytes, "and none copied");
    OK(nf_buffer_write(buffer, sizeof(vertex), other + 1, 3 * sizeof(vertex)));
    OK(nf_buffer_write(buffer, 0, other, sizeof(vertex)));
    EXPECT(program(context, &state, v), 0xFF445566, "rewritten");
    OK(nf_set_fast_paths(renderer, 0));
    CHECK(nf_fast_paths_enabled(renderer) == 0, "fast paths are off");
    EXPECT(program(context, &state, v), 0xFF112233, "copied without fast paths");
    OK(nf_set_fast_paths(renderer, 1));
    CHECK(nf_fast_paths_enabled(renderer) == 1, "fast paths are on");
    state.resident_offset = 2;
    EXPECT(program(context, &state, v), 0xFF112233, "copied when it is crooked");
    state.resident_offset = 4;
    EXPECT(program(context, &state, v), 0xFF112233, "copied when it does not reach");
    /* A draw that was recorded keeps what it reads. */
    state.resident_offset = 0;
    OK(nf_clear(context, 0));
    OK(nf_draw_program(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, v, sizeof *v, 4, NULL, 0));
    OK(nf_buffer_destroy(buffer));
    EXPECT(pixels(context, 1, 1)[0], 0xFF445566, "a buffer that is gone");
    FAILS(NF_ERR_ARGS, "resident",
          nf_draw_program(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, v, sizeof *v, 4, NULL, 0));
    OK(nf_destroy(context));
}

/* Seen along z from the origin, a place 24 deep and 30 away: fog by depth from 10 to 50, by the plane from
 * 0 to 50. */
static void radial_fog(nf_renderer renderer)
{
    static const nf_vertex_element place[] = {
        { 0, 0, 3, 0, 0, 0 }, { 0, 16, 3, 0, 5, 0 }, { 0xFF, 0, 17, 0, 0, 0 },
    };
    static const float vertices[3][8] = {
        { -1, 1, 0.5f, 1, 18, 0, 24, 1 }, { 3, 1, 0.5f, 1, 18, 0, 24, 1 }, { -1, -3, 0.5f, 1, 18, 0, 24, 1 },
    };
    /* (50 - 24) / 40 and (50 - 30) / 40; 1 - 24 / 50 and 1 - 30 / 50, of the plane in mode 2 alone. */
    static const double by_depth[] = { 0.65, 0.5, 0.5 }, by_plane[] = { 0.52, 0.52, 0.4 };
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state common = draw_state();
    nf_program_state state;
    float c[10][4];
    uint32_t mode;
    int plane;

    memset(c, 0, sizeof c);
    c[4][3] = 2;
    c[6][2] = 1 / 40.0f, c[6][3] = -0.25f;
    c[7][2] = -1 / 50.0f;
    c[9][0] = c[9][2] = c[9][3] = 1, c[9][1] = 0.25f;
    common.fog = 1;
    OK(nf_program_state_init(&state, sizeof state));
    state.draw = &common;
    state.elements = place;
    state.element_count = 3;
    state.vertex_floats = c[0];
    state.vertex_float_count = 10;
    for (plane = 0; plane < 2; plane++)
        for (mode = 0; mode < 3; mode++) {
            double factor = plane ? by_plane[mode] : by_depth[mode];
            state.vertex_shader = plane ? SHADER(VERTEX, vs_1_1_plane_fog) : SHADER(VERTEX, vs_1_1_depth_fog);
            state.radial_fog = mode;
            OK(nf_clear(context, 0));
            OK(nf_draw_program(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, vertices, sizeof vertices[0], 3, NULL, 0));
            EXPECT(pixels(context, 1, 1)[0], argb(1, factor, factor, factor), "radial fog");
        }
    OK(nf_destroy(context));
}

static void lines_and_points(nf_renderer renderer)
{
    nf_context context = make_context(renderer, EDGE, EDGE);
    nf_draw_state state = draw_state();
    nf_vertex_rhw v[4];
    quad q = make_quad(0, 0, 1, 1, 0.5f, 0xFFFFFFFF);
    const uint32_t *found;
    int i, lit = 0;

    for (i = 0; i < 4; i++)
        v[i] = q.v[0];
    v[0].x = 1, v[0].y = 1;
    v[1].x = 3, v[1].y = 2;
    v[2].x = 6, v[2].y = 5;
    OK(nf_draw_rhw(context, &state, NF_PRIMITIVE_POINT_LIST, v, sizeof v[0], 3, NULL, 0));
    found = pixels(context, EDGE, EDGE);
    for (i = 0; i < EDGE * EDGE; i++)
        lit += found[i] == 0xFFFFFFFF;
    CHECK(lit == 3 && found[EDGE + 1] == 0xFFFFFFFF && found[2 * EDGE + 3] == 0xFFFFFFFF
              && found[5 * EDGE + 6] == 0xFFFFFFFF, "three points");
    OK(nf_clear(context, 0xFF000000));
    for (i = 0; i < 4; i++)
        v[i].x = i & 1 ? 6.0f : 1.0f, v[i].y = i & 2 ? 5.0f : 2.0f;
    OK(nf_draw_rhw(context, &state, NF_PRIMITIVE_LINE_LIST, v, sizeof v[0], 4, NULL, 0));
    found = pixels(context, EDGE, EDGE);
    CHECK(found[2 * EDGE + 3] == 0xFFFFFFFF && found[5 * EDGE + 4] == 0xFFFFFFFF
              && found[3 * EDGE + 3] == 0xFF000000, "two lines");
    /* One vertex is nothing, and succeeds. */
    OK(nf_clear(context, 0xFF000000));
    OK(nf_draw_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, v, sizeof v[0], 1, NULL, 0));
    CHECK(nf_primitive_supported(NF_PRIMITIVE_TRIANGLE_LIST) && nf_primitive_supported(1), "supported");
    CHECK(!nf_primitive_supported(6) && !nf_primitive_supported(0) && !nf_primitive_supported(~0u), "fans");
    OK(nf_destroy(context));
}

static void masks(void)
{
    CHECK(nf_fixed_op_arg_mask(2) == 2 && nf_fixed_op_arg_mask(3) == 4, "one argument");
    CHECK(nf_fixed_op_arg_mask(25) == 7 && nf_fixed_op_arg_mask(26) == 7, "three arguments");
    CHECK(nf_fixed_op_arg_mask(4) == 6 && nf_fixed_op_arg_mask(24) == 6, "two arguments");
    CHECK(nf_fixed_op_arg_mask(1) == 0 && nf_fixed_op_arg_mask(27) == 0 && nf_fixed_op_arg_mask(260) == 0, "none");
}

int main(void)
{
    nf_renderer renderer = make_renderer();
    pretransformed(renderer);
    textures_of_rhw(renderer);
    cascades(renderer);
    clip_space(renderer);
    programs(renderer);
    programs_rhw(renderer);
    residents(renderer);
    radial_fog(renderer);
    lines_and_points(renderer);
    masks();
    OK(nf_renderer_destroy(renderer));
    return finish("draws");
}
