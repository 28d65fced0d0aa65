/* Every code, with what its text names; nothing is drawn by a call that fails. */
#include "common.h"
#include "shaders.h"

static nf_renderer renderer;
static nf_context context;
static quad q;

#define DRAW(state, primitive, vertices, stride, nv, indices, ni) \
    nf_draw_rhw(context, state, primitive, vertices, stride, nv, indices, ni)

static void counts(void)
{
    nf_draw_state state = draw_state();
    static nf_vertex_rhw many[3];
    static uint16_t indices[196609];
    const uint16_t bad[] = { 0, 1, 4 };
    static char crooked[64];

    FAILS(NF_ERR_PRIMITIVE, "primitive is 0", DRAW(&state, 0, q.v, 28, 4, NULL, 0));
    FAILS(NF_ERR_PRIMITIVE, "primitive is 6", DRAW(&state, 6, q.v, 28, 4, NULL, 0));
    FAILS(NF_ERR_PRIMITIVE, "primitive", DRAW(&state, 0xFFFFFFFFu, q.v, 28, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "vertex_count is 0", DRAW(&state, 4, q.v, 28, 0, NULL, 0));
    FAILS(NF_ERR_ARGS, "vertex_count is 65537", DRAW(&state, 4, q.v, 28, 65537, NULL, 0));
    FAILS(NF_ERR_ARGS, "vertex_count", DRAW(&state, 4, q.v, 28, 0xFFFFFFFFu, NULL, 0));
    FAILS(NF_ERR_ARGS, "stride is 0", DRAW(&state, 4, q.v, 0, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "27", DRAW(&state, 4, q.v, 27, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "stride is 257", DRAW(&state, 4, q.v, 257, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "stride", DRAW(&state, 4, q.v, (size_t)-1, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "index_count is 196609", DRAW(&state, 4, q.v, 28, 4, indices, 196609));
    FAILS(NF_ERR_ARGS, "indices is NULL", DRAW(&state, 4, q.v, 28, 4, NULL, 3));
    FAILS(NF_ERR_ARGS, "indices is not aligned",
          DRAW(&state, 4, q.v, 28, 4, (const uint16_t *)(const void *)(crooked + 1), 3));
    FAILS(NF_ERR_BOUNDS, "index 4 of 4", DRAW(&state, 4, q.v, 28, 4, bad, 3));
    FAILS(NF_ERR_ARGS, "vertices is NULL", DRAW(&state, 4, NULL, 28, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "state is NULL", DRAW(NULL, 4, q.v, 28, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "state is not aligned",
          DRAW((const nf_draw_state *)(const void *)(crooked + 4), 4, q.v, 28, 4, NULL, 0));
    /* What is just right. */
    OK(DRAW(&state, 4, many, 28, 3, indices, 196608 / 64));
    OK(DRAW(&state, 4, q.v, 28, 4, bad, 0));
    OK(DRAW(&state, 4, many, 28, 2, NULL, 0));
}

static void states(void)
{
    nf_draw_state state = draw_state(), good = draw_state();
    nf_sampler sampler;
    memset(&sampler, 0, sizeof sampler);

#define WITH(field, value, code, text) \
    do { \
        state = good; \
        state.field = (value); \
        FAILS(code, text, draw_quad(context, &state, &q)); \
    } while (0)

    WITH(struct_size, 0, NF_ERR_ARGS, "struct_size is 0");
    WITH(struct_size, (uint32_t)sizeof state + 8, NF_ERR_ARGS, "nf_draw_state_init");
    WITH(blend, NF_BLEND_COUNT, NF_ERR_ARGS, "blend is 10");
    WITH(write_mask, 16, NF_ERR_ARGS, "write_mask is 16");
    WITH(cull, 0, NF_ERR_ARGS, "cull is 0");
    WITH(cull, 256 + 1, NF_ERR_ARGS, "cull is 257");
    WITH(reserved, 1, NF_ERR_ARGS, "reserved");
    WITH(fog, 1, NF_ERR_ARGS, "fog");
    WITH(texture.id, 12345, NF_ERR_TEXTURE, "texture");
    WITH(texture.id, context.id, NF_ERR_TEXTURE, "texture");
    good.depth_test = good.stencil = good.stencil_two_sided = good.alpha_test = 1;
    good.blend = NF_BLEND_CUSTOM;
    OK(draw_quad(context, &good, &q));
    WITH(depth_func, 9, NF_ERR_ARGS, "depth_func is 9");
    WITH(stencil_front.func, 0, NF_ERR_ARGS, "stencil_front.func is 0");
    WITH(stencil_front.fail, 9, NF_ERR_ARGS, "stencil_front.fail is 9");
    WITH(stencil_back.pass, 0, NF_ERR_ARGS, "stencil_back.pass is 0");
    WITH(stencil_back.depth_fail, 257, NF_ERR_ARGS, "stencil_back.depth_fail is 257");
    WITH(alpha_func, 0, NF_ERR_ARGS, "alpha_func is 0");
    WITH(blend_src, 0, NF_ERR_ARGS, "blend_src is 0");
    WITH(blend_dst, 16, NF_ERR_ARGS, "blend_dst is 16");
    WITH(blend_op, 6, NF_ERR_ARGS, "blend_op is 6");

    state = draw_state();
    state.sampler = &sampler;
#define SAMPLER(field, value, text) \
    do { \
        memset(&sampler, 0, sizeof sampler); \
        sampler.field = (value); \
        FAILS(NF_ERR_ARGS, text, draw_quad(context, &state, &q)); \
    } while (0)
    SAMPLER(address_u, 6, "address_u is 6");
    SAMPLER(address_v, 257, "address_v is 257");
    SAMPLER(address_w, 99, "address_w is 99");
    SAMPLER(min_filter, 4, "min_filter is 4");
    SAMPLER(mag_filter, 4, "mag_filter is 4");
    SAMPLER(mip_filter, 3, "mip_filter is 3");
    SAMPLER(max_mip_level, 16, "max_mip_level is 16");
    SAMPLER(lod_bias, NAN, "lod_bias");
    SAMPLER(lod_bias, -INFINITY, "lod_bias");
    memset(&sampler, 0, sizeof sampler);
    sampler.max_anisotropy = 0xFFFFFFFFu;
    OK(draw_quad(context, &state, &q));
}

static int32_t draw_fixed(const nf_fixed_state *state)
{
    fixed_quad vertices = make_fixed_quad(0, 0, 1, 1);
    return nf_draw_fixed_rhw(context, state, NF_PRIMITIVE_TRIANGLE_STRIP, vertices.v, 4, NULL, 0);
}

static void cascades(void)
{
    nf_fixed_state state, good;
    nf_draw_state bad = draw_state();
    bad.cull = 77;
    OK(nf_fixed_state_init(&good, sizeof good));
    good.stages[0].color_op = 4;
    good.stages[0].color_arg1 = 0;
    good.stages[0].color_arg2 = 3;
    OK(draw_fixed(&good));
#define STAGE(field, value, code, text) \
    do { \
        state = good; \
        state.field = (value); \
        FAILS(code, text, draw_fixed(&state)); \
    } while (0)
    STAGE(struct_size, 3, NF_ERR_ARGS, "struct_size is 3");
    STAGE(draw, &bad, NF_ERR_ARGS, "cull is 77");
    STAGE(stages[0].color_op, 27, NF_ERR_ARGS, "fixed stage 0: color_op is 27");
    STAGE(stages[0].alpha_op, 300, NF_ERR_ARGS, "fixed stage 0: alpha_op is 300");
    STAGE(stages[0].color_arg1, 7, NF_ERR_ARGS, "fixed stage 0: color_arg1 is 0x7");
    STAGE(stages[0].color_arg2, 0x40, NF_ERR_ARGS, "fixed stage 0: color_arg2 is 0x40");
    STAGE(stages[0].result_arg, 2, NF_ERR_ARGS, "fixed stage 0: result_arg is 2");
    STAGE(stages[0].texcoord_index, 8, NF_ERR_ARGS, "fixed stage 0: texcoord_index is 8");
    STAGE(stages[0].reserved, 1, NF_ERR_ARGS, "fixed stage 0");
    STAGE(stages[0].color_arg1, 2, NF_ERR_TEXTURE, "fixed stage 0 texture is unavailable");
    good.stages[0].color_arg1 = 2;
    STAGE(stages[0].texture.id, 9, NF_ERR_TEXTURE, "texture");
    STAGE(stages[0].sampler.address_u, 9, NF_ERR_ARGS, "fixed stage 0: sampler.address_u is 9");
    good.stages[0].color_arg1 = 0;
    STAGE(stages[0].color_op, 17, NF_ERR_SHADER, "fixed stage 0 uses unsupported color/alpha operation");
    STAGE(stages[0].color_op, 22, NF_ERR_SHADER, "fixed stage 0 uses unsupported color/alpha operation");
    STAGE(stages[0].alpha_op, 18, NF_ERR_SHADER, "fixed stage 0 uses unsupported color/alpha operation");
}

static const nf_vertex_element declaration[] = {
    { 0, 0, 3, 0, 0, 0 }, { 0, 16, 4, 0, 10, 0 }, { 0, 20, 1, 0, 5, 0 }, { 0xFF, 0, 17, 0, 0, 0 },
};

static int32_t draw_program(const nf_program_state *state)
{
    static const uint32_t vertices[4 * 7];
    return nf_draw_program(context, state, NF_PRIMITIVE_TRIANGLE_STRIP, vertices, 28, 4, NULL, 0);
}

static void programs(void)
{
    static const uint32_t not_tokens[] = { 0x12345678, 0x0000FFFF };
    static const uint32_t no_end[] = { 0xFFFE0101, 0x00000001 };
    nf_vertex_element elements[66];
    nf_program_state state, good;
    nf_stream stream, secondary;
    nf_shader none = { 77 }, vertex, pixel, failed;
    fixed_quad vertices = make_fixed_quad(0, 0, 1, 1);
    int32_t ints[4] = { 0 };
    float crooked[2] = { 0 };
    uint64_t key;
    int i;

    OK(nf_shader_created(renderer, NF_STAGE_VERTEX, vs_1_1_plain, sizeof vs_1_1_plain / 4, NULL, &vertex));
    OK(nf_shader_created(renderer, NF_STAGE_PIXEL, ps_1_1_color, sizeof ps_1_1_color / 4, &key, &pixel));
    failed = pixel;
    FAILS(NF_ERR_SHADER, "tokens",
          nf_shader_created(renderer, NF_STAGE_VERTEX, not_tokens, 2, NULL, &failed));
    CHECK(failed.id == 0, "no shader on failure");
    FAILS(NF_ERR_SHADER, "tokens", nf_shader_created(renderer, NF_STAGE_VERTEX, no_end, 2, NULL, &failed));
    FAILS(NF_ERR_SHADER, "stage mismatch",
          nf_shader_created(renderer, NF_STAGE_VERTEX, ps_1_1_color, sizeof ps_1_1_color / 4, NULL, &failed));
    FAILS(NF_ERR_ARGS, "stage is 2", nf_shader_created(renderer, 2, ps_1_1_color, 9, NULL, &failed));
    FAILS(NF_ERR_ARGS, "tokens is NULL", nf_shader_created(renderer, 0, NULL, 9, NULL, &failed));
    FAILS(NF_ERR_ARGS, "token_count is 0", nf_shader_created(renderer, 0, not_tokens, 0, NULL, &failed));
    FAILS(NF_ERR_ARGS, "token_count is 65537", nf_shader_created(renderer, 0, not_tokens, 65537, NULL, &failed));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_shader_created(renderer, 0, not_tokens, 2, NULL, NULL));
    FAILS(NF_ERR_ARGS, "tokens is not aligned",
          nf_shader_created(renderer, 0, (const uint32_t *)(const void *)((const char *)not_tokens + 1), 1, NULL,
                            &failed));

    OK(nf_program_state_init(&good, sizeof good));
    good.elements = declaration;
    good.element_count = 4;
    good.vertex_shader = vertex;
    good.pixel_shader = pixel;
    OK(draw_program(&good));
#define PROGRAM(field, value, code, text) \
    do { \
        state = good; \
        state.field = (value); \
        FAILS(code, text, draw_program(&state)); \
    } while (0)
    PROGRAM(struct_size, 0, NF_ERR_ARGS, "struct_size");
    PROGRAM(radial_fog, 3, NF_ERR_ARGS, "state->radial_fog is 3");
    PROGRAM(vertex_shader.id, 0, NF_ERR_ARGS, "vertex_shader");
    PROGRAM(vertex_shader, none, NF_ERR_ARGS, "vertex_shader");
    PROGRAM(pixel_shader, none, NF_ERR_ARGS, "pixel_shader");
    PROGRAM(vertex_shader, pixel, NF_ERR_SHADER, "stage mismatch");
    PROGRAM(pixel_shader, vertex, NF_ERR_SHADER, "stage mismatch");
    PROGRAM(elements, NULL, NF_ERR_ARGS, "elements is NULL");
    PROGRAM(element_count, 0, NF_ERR_DECL, "no end mark");
    PROGRAM(element_count, 3, NF_ERR_DECL, "no end mark");
    PROGRAM(element_count, 66, NF_ERR_ARGS, "elements");
    PROGRAM(vertex_float_count, 1, NF_ERR_ARGS, "vertex_floats is NULL");
    PROGRAM(pixel_float_count, 8193, NF_ERR_ARGS, "pixel_floats: 8193");
    PROGRAM(vertex_int_count, 17, NF_ERR_ARGS, "vertex_ints: 17");
    PROGRAM(pixel_int_count, 1, NF_ERR_ARGS, "pixel_ints is NULL");
    PROGRAM(texture_count, 21, NF_ERR_ARGS, "textures: 21");
    PROGRAM(texture_count, 1, NF_ERR_ARGS, "textures is NULL");
    PROGRAM(sampler_count, 1, NF_ERR_ARGS, "samplers is NULL");
    PROGRAM(stream_count, 16, NF_ERR_ARGS, "streams: 16");
    PROGRAM(stream_count, 1, NF_ERR_ARGS, "streams is NULL");
    PROGRAM(resident.id, 5, NF_ERR_ARGS, "resident");
    PROGRAM(resident.id, vertex.id, NF_ERR_ARGS, "resident");
    state = good;
    state.vertex_floats = (const float *)(const void *)((const char *)crooked + 1);
    state.vertex_float_count = 1;
    FAILS(NF_ERR_ARGS, "vertex_floats is not aligned", draw_program(&state));
    state = good;
    state.pixel_ints = ints;
    state.pixel_int_count = 1;
    OK(draw_program(&state));

    /* Declarations. */
    memcpy(elements, declaration, sizeof declaration);
    state = good;
    state.elements = elements;
    elements[1].stream = 16;
    FAILS(NF_ERR_DECL, "elements[1].stream is 16", draw_program(&state));
    elements[1].stream = 0, elements[1].method = 1;
    FAILS(NF_ERR_DECL, "elements[1].method is 1", draw_program(&state));
    elements[1].method = 0, elements[1].type = 17;
    FAILS(NF_ERR_DECL, "elements[1]: type 17", draw_program(&state));
    elements[1].type = 4, elements[1].usage = 14;
    FAILS(NF_ERR_DECL, "elements[1]: type 4 and usage 14", draw_program(&state));
    elements[1].usage = 10, elements[1].offset = 26;
    FAILS(NF_ERR_DECL, "", draw_program(&state));
    elements[1].offset = 16, elements[1].usage = 3;
    FAILS(NF_ERR_DECL, "", draw_program(&state));
    for (i = 0; i < 66; i++)
        elements[i] = declaration[0];
    state.element_count = 65;
    FAILS(NF_ERR_DECL, "no end mark", draw_program(&state));

    /* Streams. */
    memset(&stream, 0, sizeof stream);
    state = good;
    state.streams = &secondary;
    state.stream_count = 1;
    stream.stream = 1, stream.stride = 4;
    secondary = stream;
    OK(draw_program(&state));
    secondary.stream = 0;
    FAILS(NF_ERR_ARGS, "streams[0] is stream 0", draw_program(&state));
    secondary.stream = 16;
    FAILS(NF_ERR_ARGS, "streams[0] is stream 16", draw_program(&state));
    secondary = stream, secondary.stride = 0;
    FAILS(NF_ERR_ARGS, "stride 0", draw_program(&state));
    secondary.stride = 257;
    FAILS(NF_ERR_ARGS, "stride 257", draw_program(&state));
    secondary = stream, secondary.size = 4;
    FAILS(NF_ERR_ARGS, "data of a stream is NULL", draw_program(&state));
    secondary.data = crooked, secondary.size = (size_t)-1;
    FAILS(NF_ERR_ARGS, "more than memory holds", draw_program(&state));
    /* Colours that a stream is too short for. */
    memcpy(elements, declaration, sizeof declaration);
    elements[1].stream = 1, elements[1].offset = 0;
    state.elements = elements;
    state.element_count = 4;
    secondary = stream, secondary.data = crooked, secondary.size = 8;
    FAILS(NF_ERR_BOUNDS, "stream 1", draw_program(&state));

    state = good;
    state.pixel_shader.id = 0;
    FAILS(NF_ERR_ARGS, "pixel_shader",
          nf_draw_program_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, vertices.v, 4, NULL, 0));
    FAILS(NF_ERR_ARGS, "state is NULL",
          nf_draw_program_rhw(context, NULL, NF_PRIMITIVE_TRIANGLE_STRIP, vertices.v, 4, NULL, 0));
}

static void settings(void)
{
    nf_settings s, good;
    nf_renderer made = { 99 };
    settings_of(&good);
#define SETTING(field, value, code, text) \
    do { \
        s = good; \
        s.field = (value); \
        FAILS(code, text, nf_renderer_create(&s, &made)); \
        CHECK(made.id == 0, "no renderer on failure"); \
    } while (0)
    SETTING(struct_size, 8, NF_ERR_ARGS, "struct_size is 8");
    SETTING(environment, 2, NF_ERR_ARGS, "environment is 2");
    SETTING(radial_fog, 2, NF_ERR_ARGS, "radial_fog is 2");
    SETTING(validation, 2, NF_ERR_ARGS, "validation is 2");
    SETTING(fast_paths, -2, NF_ERR_ARGS, "fast_paths is -2");
    SETTING(quality_aniso, 3, NF_ERR_ARGS, "quality_aniso is 3");
    SETTING(texture_fallback, 3, NF_ERR_ARGS, "texture_fallback is 3");
    SETTING(shader_prewarm, 3, NF_ERR_ARGS, "shader_prewarm is 3");
    SETTING(pipeline_archive, 3, NF_ERR_ARGS, "pipeline_archive is 3");
    SETTING(pipeline_workers, 7, NF_ERR_ARGS, "pipeline_workers is 7");
    SETTING(pipeline_archive_save_ms, -2, NF_ERR_ARGS, "pipeline_archive_save_ms is -2");
    SETTING(texture_cache_entries, 1025, NF_ERR_ARGS, "texture_cache_entries is 1025");
    SETTING(program_pipelines, 4097, NF_ERR_ARGS, "program_pipelines is 4097");
    SETTING(fixed_pipelines, 2049, NF_ERR_ARGS, "fixed_pipelines is 2049");
    SETTING(adapter, "\xFF\xFE", NF_ERR_ARGS, "adapter is not UTF-8");
    SETTING(adapter, "no GPU is called this", NF_ERR_DEVICE, "no GPU is called this");
    FAILS(NF_ERR_ARGS, "out is NULL", nf_renderer_create(&good, NULL));
    FAILS(NF_ERR_ARGS, "nf_settings is NULL", nf_settings_init(NULL, sizeof s));
    FAILS(NF_ERR_ARGS, "size is 4", nf_settings_init(&s, 4));
    FAILS(NF_ERR_ARGS, "size is 4", nf_draw_state_init((nf_draw_state *)(void *)&s, 4));
    FAILS(NF_ERR_ARGS, "nf_fixed_state is NULL", nf_fixed_state_init(NULL, sizeof(nf_fixed_state)));
    FAILS(NF_ERR_ARGS, "size", nf_program_state_init((nf_program_state *)(void *)&s, 0));
    FAILS(NF_ERR_ARGS, "size", nf_texture_desc_init((nf_texture_desc *)(void *)&s, 0));
}

static void contexts(void)
{
    nf_context c = { 1 };
    nf_texture t = { 1 };
    uint64_t n = 1;
    FAILS(NF_ERR_ARGS, "8192", nf_create(renderer, 0, 1, &c));
    CHECK(c.id == 0, "no context on failure");
    FAILS(NF_ERR_ARGS, "8192", nf_create(renderer, 1, 8193, &c));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_create(renderer, 1, 1, NULL));
    FAILS(NF_ERR_ARGS, "depth is", nf_clear_depth(context, NAN));
    FAILS(NF_ERR_ARGS, "depth is", nf_clear_depth(context, -INFINITY));
    OK(nf_clear_depth(context, 17));
    FAILS(NF_ERR_ARGS, "stencil is 256", nf_clear_stencil(context, 256));
    c.id = 0;
    FAILS(NF_ERR_ARGS, "context is no context (its id is 0)", nf_clear(c, 0));
    c.id = renderer.id;
    FAILS(NF_ERR_ARGS, "is no context that is alive", nf_clear(c, 0));
    FAILS(NF_ERR_ARGS, "context", nf_set_viewport(c, 0, 0, 1, 1));
    FAILS(NF_ERR_ARGS, "context", nf_set_overlay_target(c, 1));
    FAILS(NF_ERR_ARGS, "context", nf_target_texture(c, &t));
    FAILS(NF_ERR_ARGS, "context", nf_triangles(c, &n));
    CHECK(t.id == 0 && n == 0, "nothing on failure");
    FAILS(NF_ERR_ARGS, "out is NULL", nf_target_texture(context, NULL));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_triangles(context, NULL));
    FAILS(NF_ERR_ARGS, "context", nf_destroy(c));
    OK(nf_set_viewport(context, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu));
    OK(nf_set_viewport(context, 0, 0, 0xFFFFFFFFu, 0xFFFFFFFFu));
}

static void texts(void)
{
    char name[8];
    int32_t length = nf_adapter_name(renderer, NULL, 0);
    CHECK(length > 8, "a name of %d bytes", length);
    memset(name, 'x', sizeof name);
    CHECK(nf_adapter_name(renderer, name, sizeof name) == length && name[7] == 0 && strlen(name) <= 7, "cut off");
    FAILS(NF_ERR_ARGS, "buffer is NULL", nf_adapter_name(renderer, NULL, 3));
    CHECK(nf_adapter(0, NULL, 0) > 0, "there is an adapter");
    FAILS(NF_ERR_ARGS, "index is 1000", nf_adapter(1000, name, sizeof name));
    CHECK(strchr(nf_version(), '.') != NULL, "a version");
    /* Success leaves the text. */
    FAILS(NF_ERR_ARGS, "stencil is 300", nf_clear_stencil(context, 300));
    OK(nf_clear_stencil(context, 30));
    CHECK(strstr(nf_last_error(), "stencil is 300") != NULL, "the text stays");
    CHECK(nf_last_commit_error(renderer)[0] == 0, "no commit failed");
}

static void unsupported(void)
{
    nf_texture_desc desc;
    nf_texture texture = { 4 };
    OK(nf_texture_desc_init(&desc, sizeof desc));
    /* Volumes cannot be targets anywhere. */
    desc.kind = NF_TEXTURE_VOLUME;
    desc.target = 1;
    FAILS(NF_ERR_UNSUPPORTED, "", nf_texture_create(renderer, &desc, &texture));
    CHECK(texture.id == 0, "no texture on failure");
}

static void pipelines_full(void)
{
    nf_settings s;
    nf_renderer small;
    nf_context target;
    nf_draw_state state = draw_state();
    settings_of(&s);
    s.fixed_pipelines = 1;
    s.program_pipelines = 1;
    small = renderer_with(&s);
    target = make_context(small, 1, 1);
    OK(draw_quad(target, &state, &q));
    state.blend = NF_BLEND_ADD;
    FAILS(NF_ERR_STATE, "full", draw_quad(target, &state, &q));
    state.blend = NF_BLEND_NONE;
    OK(draw_quad(target, &state, &q));
    OK(nf_renderer_destroy(small));
    FAILS(NF_ERR_ARGS, "context", nf_clear(target, 0));
    FAILS(NF_ERR_ARGS, "renderer", nf_renderer_destroy(small));
    FAILS(NF_ERR_ARGS, "renderer", nf_wait_idle(small));
}

int main(void)
{
    int i, changed = 0;
    const uint32_t *found;
    renderer = make_renderer();
    context = make_context(renderer, EDGE, EDGE);
    q = make_quad(0, 0, 1, 1, 0.5f, 0xFFFFFFFF);
    settings();
    contexts();
    texts();
    unsupported();
    OK(nf_clear(context, 0xFF335577));
    OK(nf_set_viewport(context, 4, 4, 4, 4));
    counts();
    states();
    cascades();
    programs();
    found = pixels(context, EDGE, EDGE);
    for (i = 0; i < EDGE * EDGE; i++)
        changed += found[i] != 0xFF335577;
    CHECK(changed == 0, "%d pixels were drawn by calls that failed, or outside the viewport", changed);
    pipelines_full();
    OK(nf_renderer_destroy(renderer));
    return finish("errors");
}
