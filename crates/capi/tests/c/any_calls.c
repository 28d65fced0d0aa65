/* any_calls [SEED [CALLS]]: every function with arguments of all kinds, in any order. It must come back, with
 * a code of the API, and leave the renderer able to draw. */
#include "common.h"
#include "shaders.h"

static uint64_t seed = 1;

static uint32_t random_bits(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

static uint32_t below(uint32_t end)
{
    return random_bits() % end;
}

/* Mostly small, sometimes anything. */
static uint32_t number(void)
{
    static const uint32_t odd[] = { 0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 28, 112, 255, 256, 257, 4096, 65535, 65536,
                                    65537, 196608, 196609, 0x7FFFFFFF, 0x80000000u, 0xFFFFFFFFu };
    return below(4) ? below(12) : odd[below(sizeof odd / sizeof odd[0])];
}

static float real(void)
{
    static const float odd[] = { 0, -0.0f, 1, -1, 0.5f, 1e30f, -1e30f, 1e-40f, 3.4e38f, INFINITY, -INFINITY, NAN };
    return below(3) ? (float)below(1000) / 500 - 0.5f : odd[below(sizeof odd / sizeof odd[0])];
}

enum { KEPT = 24 };
static uint64_t handles[5][KEPT];

/* A handle of a kind: mostly a good one, else an old one, one of another kind, or none. */
static uint64_t handle(int kind)
{
    uint64_t id = handles[below(12) ? kind : (int)below(5)][below(KEPT)];
    switch (below(16)) {
    case 0: return 0;
    case 1: return id ^ (uint64_t)1 << below(64);
    case 2: return (uint64_t)random_bits() << 32 | random_bits();
    default: return id;
    }
}

static void keep(int kind, uint64_t id)
{
    if (id)
        handles[kind][below(KEPT)] = id;
}

/* Room for whatever the small numbers ask for; large ones are refused before it is read. */
static unsigned char memory[65537 * 257 + 64];
static uint16_t indices[196609];
static const void *pointer(void)
{
    switch (below(10)) {
    case 0: return NULL;
    case 1: return memory + below(64);
    default: return memory;
    }
}

static nf_sampler sampler(void)
{
    nf_sampler s;
    uint32_t *field = (uint32_t *)(void *)&s;
    size_t i;
    for (i = 0; i < sizeof s / 4; i++)
        field[i] = below(20) ? below(3) : number();
    s.lod_bias = real();
    return s;
}

static nf_draw_state common(void)
{
    static nf_sampler kept;
    nf_draw_state s = draw_state();
    int changes = (int)below(6);
    while (changes--) {
        /* Any field up to the texture's handle. */
        uint32_t *field = (uint32_t *)(void *)&s;
        field[1 + below((uint32_t)(offsetof(nf_draw_state, texture) / 4 - 1))] = below(8) ? below(9) : number();
    }
    if (!below(3))
        s.texture.id = handle(2);
    if (!below(4)) {
        kept = sampler();
        s.sampler = &kept;
    }
    return s;
}

static nf_fixed_state cascade(const nf_draw_state *draw)
{
    nf_fixed_state s;
    int changes = (int)below(8);
    nf_fixed_state_init(&s, sizeof s);
    s.draw = below(2) ? draw : NULL;
    while (changes--) {
        nf_fixed_stage *stage = &s.stages[below(3)];
        uint32_t *field = (uint32_t *)(void *)stage;
        field[below(11)] = below(8) ? below(7) : number();
        if (!below(2))
            stage->color_op = 2 + below(10);
        if (!below(3))
            stage->texture.id = handle(2);
        if (!below(3))
            stage->sampler = sampler();
    }
    return s;
}

static nf_program_state program(const nf_draw_state *draw, const nf_fixed_state *fixed)
{
    static const nf_vertex_element declaration[] = {
        { 0, 0, 3, 0, 0, 0 }, { 0, 16, 4, 0, 10, 0 }, { 0, 20, 1, 0, 5, 0 }, { 0xFF, 0, 17, 0, 0, 0 },
    };
    static nf_vertex_element odd[8];
    static nf_texture textures[21];
    static nf_sampler samplers[21];
    static nf_stream streams[3];
    nf_program_state s;
    int i;
    nf_program_state_init(&s, sizeof s);
    s.draw = draw;
    s.fixed = fixed;
    /* Mostly those of the right stage, which are three and five of each eight. */
    s.vertex_shader.id = below(12) ? handles[4][8 * below(3) + below(3)] : handle(4);
    s.pixel_shader.id = below(12) ? handles[4][8 * below(3) + 3 + below(5)] : handle(4);
    if (!below(4))
        s.pixel_shader.id = 0;
    s.elements = declaration;
    s.element_count = 4;
    if (!below(4)) {
        for (i = 0; i < 8; i++) {
            odd[i] = declaration[below(4)];
            if (!below(3))
                odd[i].offset = (uint16_t)number(), odd[i].type = (uint8_t)below(18), odd[i].usage = (uint8_t)below(15);
        }
        s.elements = odd;
        s.element_count = below(9);
    }
    for (i = 0; i < 3; i++) {
        streams[i].stream = 1 + below(3);
        streams[i].stride = below(20) ? 4 * below(9) : number();
        streams[i].data = pointer();
        streams[i].size = below(2000);
        streams[i].resident.id = below(3) ? 0 : handle(3);
        streams[i].resident_offset = number();
    }
    s.streams = streams;
    s.stream_count = below(4);
    for (i = 0; i < 21; i++)
        textures[i].id = below(3) ? 0 : handle(2), samplers[i] = sampler();
    s.textures = textures;
    s.samplers = samplers;
    s.texture_count = below(22);
    s.sampler_count = below(22);
    s.vertex_floats = s.pixel_floats = (const float *)pointer();
    s.vertex_ints = s.pixel_ints = (const int32_t *)pointer();
    s.vertex_float_count = below(300);
    s.pixel_float_count = below(300);
    s.vertex_int_count = below(18);
    s.pixel_int_count = below(18);
    s.vertex_bools = number();
    s.pixel_bools = number();
    s.resident.id = below(3) ? 0 : handle(3);
    s.resident_offset = number();
    s.radial_fog = below(3) ? 0 : below(4);
    return s;
}

static void ended(void *arg, int32_t ok)
{
    (void)ok;
    ++*(int *)arg;
}

static int committed, called;

/* Of a range that is refused before vertices are read, or small enough for the room. */
static int32_t one_call(nf_renderer only)
{
    nf_renderer renderer;
    nf_context context;
    nf_texture texture, other;
    nf_buffer buffer;
    nf_shader shader;
    nf_draw_state draw = common();
    nf_fixed_state fixed = cascade(&draw);
    nf_program_state shaded = program(&draw, &fixed);
    const uint16_t *order = below(2) ? NULL : indices;
    uint32_t primitive = below(12) ? 1 + below(5) : number(), vertices = below(12) ? 1 + below(200) : number();
    uint32_t ni = order ? below(300) : below(9) ? 0 : number();
    size_t stride = below(12) ? 28 + below(40) : number();
    static uint32_t out[64 * 64];
    nf_counts counts;
    int32_t code;
    uint64_t triangles;
    nf_box area;

    renderer.id = below(20) ? only.id : handle(0);
    context.id = handle(1);
    texture.id = handle(2);
    other.id = handle(2);
    buffer.id = handle(3);
    shader.id = 0;
    switch (below(36)) {
    case 0:
        code = nf_create(renderer, below(9) ? 1 + below(40) : number() & 0xFFFF, 1 + below(40), &context);
        keep(1, context.id);
        return code;
    case 1: return below(4) ? NF_OK : nf_destroy(context);
    case 2: return nf_resize(context, 1 + below(30), below(9) ? 1 + below(30) : number() & 0xFFFF);
    case 3: return nf_set_viewport(context, number(), number(), number(), number());
    case 4: return nf_set_overlay_target(context, (int32_t)below(3));
    case 5: return nf_clear(context, random_bits());
    case 6: return nf_clear_depth(context, real());
    case 7: return nf_clear_stencil(context, number());
    case 8:
        code = nf_target_texture(context, &texture);
        keep(2, texture.id);
        return code;
    case 9: return nf_triangles(context, below(9) ? &triangles : NULL);
    case 10: case 11: case 12:
        return nf_draw_rhw(context, below(20) ? &draw : NULL, primitive, pointer(), stride, vertices, order, ni);
    case 13: case 14: case 15:
        return nf_draw_fixed_rhw(context, &fixed, primitive, pointer(), vertices, order, ni);
    case 16: case 17:
        return nf_draw_fixed_clip(context, &fixed, primitive, pointer(), vertices, order, ni);
    case 18: case 19: case 20: case 21:
        return nf_draw_program(context, &shaded, primitive, pointer(), stride, vertices, order, ni);
    case 22: case 23: return nf_draw_program_rhw(context, &shaded, primitive, pointer(), vertices, order, ni);
    case 24:
        code = nf_buffer_create(renderer, pointer(), below(9) ? 1 + below(9000) : 0, &buffer);
        keep(3, buffer.id);
        return code;
    case 25: return below(3) ? nf_buffer_write(buffer, number(), pointer(), below(500)) : nf_buffer_destroy(buffer);
    case 26: {
        nf_texture_desc desc;
        nf_texture_desc_init(&desc, sizeof desc);
        desc.kind = below(4);
        desc.format = below(15);
        desc.width = below(9) ? 1 + below(16) : number();
        desc.height = below(2) ? desc.width : 1 + below(16);
        desc.depth = below(2) ? 1 : below(5);
        desc.levels = below(4);
        desc.target = below(2);
        /* Sizes that are in range are large enough to fill the machine. */
        if (desc.width > 16 && desc.width <= 16384)
            desc.width = 0;
        if (desc.height > 16 && desc.height <= 16384)
            desc.height = 0;
        code = nf_texture_create(renderer, &desc, &texture);
        keep(2, texture.id);
        return code;
    }
    case 27:
        area.x = below(4), area.y = below(4), area.z = below(2);
        area.width = below(9) ? 1 + below(8) : number(), area.height = 1 + below(8), area.depth = below(3);
        return nf_texture_update(texture, below(4), below(7), below(2) ? &area : NULL, pointer(), below(9000),
                                 below(2) ? 0 : number(), below(2) ? 0 : number());
    case 28: return nf_texture_read(texture, below(4), below(7), out, below(3) ? sizeof out : below(100));
    case 29: return below(2) ? NF_OK : nf_texture_destroy(texture);
    case 30: {
        uint32_t w = 1 + below(8), h = 1 + below(8);
        code = below(2) ? nf_texture_create_cached(renderer, below(30), w, h, pointer(), w * h * 4 + !below(9), &texture)
             : below(2) ? nf_texture_create_cached_cube(renderer, below(30), w, pointer(), w * w * 24, &texture)
                        : nf_texture_create_cached_volume(renderer, below(30), w, h, 2, pointer(), w * h * 8, &texture);
        keep(2, texture.id);
        return code;
    }
    case 31:
        code = nf_texture_find_cached(renderer, below(40), &texture);
        keep(2, texture.id);
        return code;
    case 32: return below(2) ? nf_begin_binding_scope(renderer) : nf_end_binding_scope(renderer);
    case 33:
        if (below(2))
            return nf_read_framebuffer(context, below(9) ? out : NULL, below(3) ? sizeof out : below(300), below(3) ? 0 : number());
        return nf_write_framebuffer(context, pointer(), below(9000), below(3) ? 0 : number());
    case 34:
        return below(2) ? nf_blit_target_to(context, texture)
             : below(2) ? nf_fxaa_target_to(context, texture, real(), NULL) : nf_blit_texture_copy(texture, other);
    default:
        switch (below(6)) {
        case 0:
            code = nf_commit_async(renderer, ended, &called);
            committed += code == NF_OK;
            return code;
        case 1: return nf_set_fast_paths(renderer, (int32_t)below(2));
        case 2: return nf_stats(renderer, &counts, below(9) ? sizeof counts : 3);
        case 3: return nf_shader_created(renderer, below(3), (const uint32_t *)pointer(), below(300), NULL, &shader);
        case 4: return nf_wait_idle(renderer);
        default: return nf_fast_paths_enabled(renderer) < 0 ? NF_ERR_ARGS : NF_OK;
        }
    }
}

int main(int argc, char **argv)
{
    static const struct {
        uint32_t stage;
        const uint32_t *tokens;
        size_t size;
    } shaders[] = {
        { NF_STAGE_VERTEX, vs_1_1_plain, sizeof vs_1_1_plain }, { NF_STAGE_VERTEX, vs_1_1_fog, sizeof vs_1_1_fog },
        { NF_STAGE_VERTEX, vs_2_0_flow, sizeof vs_2_0_flow }, { NF_STAGE_PIXEL, ps_1_1_color, sizeof ps_1_1_color },
        { NF_STAGE_PIXEL, ps_1_1_texture, sizeof ps_1_1_texture }, { NF_STAGE_PIXEL, ps_2_0_cube, sizeof ps_2_0_cube },
        { NF_STAGE_PIXEL, ps_2_0_texture, sizeof ps_2_0_texture }, { NF_STAGE_PIXEL, ps_3_0_flow, sizeof ps_3_0_flow },
    };
    nf_settings settings;
    nf_renderer renderer;
    nf_context last;
    nf_draw_state state = draw_state();
    quad q = make_quad(0, 0, 1, 1, 0.5f, 0xFF5A5A5A);
    int codes[11] = { 0 }, calls = argc > 2 ? atoi(argv[2]) : 20000, i;
    size_t n;

    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    settings_of(&settings);
    settings.texture_cache_bytes = 4096;
    renderer = renderer_with(&settings);
    for (i = 0; i < KEPT; i++) {
        size_t pick = (size_t)i % (sizeof shaders / sizeof shaders[0]);
        nf_context context = make_context(renderer, 1 + (uint32_t)i, 8);
        nf_shader shader;
        OK(nf_shader_created(renderer, shaders[pick].stage, shaders[pick].tokens, (uint32_t)(shaders[pick].size / 4),
                             NULL, &shader));
        handles[0][i] = renderer.id;
        handles[1][i] = context.id;
        handles[4][i] = shader.id;
    }
    for (n = 0; n < sizeof memory / 4; n++)
        ((uint32_t *)(void *)memory)[n] = below(2) ? 0x3F000000u + below(0x2000000) : random_bits();
    for (n = 0; n < sizeof indices / 2; n++)
        indices[n] = (uint16_t)(below(200) ? below(20) : random_bits());
    for (i = 0; i < calls; i++) {
        int32_t code = one_call(renderer);
        CHECK(code <= 0 && code >= NF_ERR_INTERNAL, "call %d gave %d", i, code);
        CHECK(code != NF_ERR_INTERNAL && code != NF_ERR_DEVICE, "call %d of seed %s gave %d: %s", i,
              argc > 1 ? argv[1] : "1", code, nf_last_error());
        codes[-code % 11]++;
        if (code < 0)
            CHECK(nf_last_error()[0] != 0, "a code without a text");
    }
    OK(nf_end_binding_scope(renderer));
    last = make_context(renderer, 1, 1);
    OK(nf_clear(last, 0));
    OK(draw_quad(last, &state, &q));
    EXPECT(pixels(last, 1, 1)[0], 0xFF5A5A5A, "it still draws");
    OK(nf_renderer_destroy(renderer));
    CHECK(called == committed, "%d of %d callbacks", called, committed);
    printf("any_calls: %d ok, args %d, bounds %d, primitive %d, texture %d, shader %d, decl %d, unsupported %d, state %d\n",
           codes[0], codes[1], codes[2], codes[3], codes[4], codes[6], codes[7], codes[8], codes[9]);
    CHECK(codes[0] > calls / 10, "enough of them did something");
    return finish("any_calls");
}
