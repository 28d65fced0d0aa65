/* sessions FOLDER NUMBER: two runs over one folder. What the first builds at its draws, workers build in the
 * second; and what the environment says, which settings win over. */
#include "common.h"
#include "shaders.h"

static nf_shader vertex, pixel;

static void shaders(nf_renderer renderer)
{
    OK(nf_shader_created(renderer, NF_STAGE_VERTEX, vs_1_1_plain, sizeof vs_1_1_plain / 4, NULL, &vertex));
    OK(nf_shader_created(renderer, NF_STAGE_PIXEL, ps_1_1_color, sizeof ps_1_1_color / 4, NULL, &pixel));
}

static uint32_t scene(nf_renderer renderer)
{
    static const nf_vertex_element declaration[] = {
        { 0, 0, 3, 0, 0, 0 }, { 0, 16, 4, 0, 10, 0 }, { 0, 20, 1, 0, 5, 0 }, { 0xFF, 0, 17, 0, 0, 0 },
    };
    static const struct {
        float position[4];
        uint32_t color;
        float uv[2];
    } v[3] = {
        { { -1, 3, 0.5f, 1 }, 0xFF804020, { 0, 0 } },
        { { 3, -1, 0.5f, 1 }, 0xFF804020, { 0, 0 } },
        { { -1, -1, 0.5f, 1 }, 0xFF804020, { 0, 0 } },
    };
    static const float ones[] = { 1, 1, 1, 1 };
    nf_context context = make_context(renderer, 2, 2);
    nf_program_state state;
    nf_draw_state common = draw_state();
    uint32_t color;

    OK(nf_program_state_init(&state, sizeof state));
    state.draw = &common;
    state.elements = declaration;
    state.element_count = 4;
    state.vertex_shader = vertex;
    state.pixel_shader = pixel;
    state.vertex_floats = state.pixel_floats = ones;
    state.vertex_float_count = state.pixel_float_count = 1;
    OK(nf_draw_program(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, v, sizeof v[0], 3, NULL, 0));
    common.blend = NF_BLEND_ADD;
    OK(nf_draw_program(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, v, sizeof v[0], 3, NULL, 0));
    /* Again, which needs nothing new. */
    OK(nf_draw_program(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, v, sizeof v[0], 3, NULL, 0));
    color = pixels(context, 2, 2)[0];
    OK(nf_destroy(context));
    return color;
}

static nf_pipeline_counts counts_of(nf_renderer renderer)
{
    nf_pipeline_counts counts;
    OK(nf_pipeline_stats(renderer, &counts, sizeof counts));
    return counts;
}

/* NINEFOLD_TEX_FALLBACK=1 and NINEFOLD_DRAW_FASTPATH=0 are set by who runs this. */
static void environment(void)
{
    nf_settings settings;
    nf_renderer renderer;
    nf_context context;
    nf_fixed_state state;
    fixed_quad q = make_fixed_quad(0, 0, 1, 1);
    int round;

    for (round = 0; round < 3; round++) {
        settings_of(&settings);
        settings.environment = round != 1;
        if (round == 2) {
            settings.texture_fallback = 0;
            settings.fast_paths = 1;
        }
        renderer = renderer_with(&settings);
        CHECK(nf_fast_paths_enabled(renderer) == (round != 0), "round %d: fast paths", round);
        context = make_context(renderer, 1, 1);
        OK(nf_fixed_state_init(&state, sizeof state));
        state.stages[0].color_op = 2;
        state.stages[0].color_arg1 = 2;
        if (round == 0) {
            OK(nf_clear(context, 0xFF000000));
            OK(nf_draw_fixed_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, q.v, 4, NULL, 0));
            EXPECT(pixels(context, 1, 1)[0], 0xFFFFFFFF, "white for a texture that is not there");
        } else
            FAILS(NF_ERR_TEXTURE, "fixed stage 0 texture is unavailable",
                  nf_draw_fixed_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_STRIP, q.v, 4, NULL, 0));
        OK(nf_renderer_destroy(renderer));
    }
}

int main(int argc, char **argv)
{
    nf_settings settings;
    nf_renderer renderer;
    nf_pipeline_counts counts;
    int first = argc > 2 && argv[2][0] == '1';

    if (argc < 3)
        return 2;
    OK(nf_settings_init(&settings, sizeof settings));
    settings.pipeline_cache_dir = argv[1];
    renderer = renderer_with(&settings);
    OK(nf_wait_for_pipelines(renderer));
    counts = counts_of(renderer);
    CHECK(counts.recipes_loaded == (first ? 0 : 2), "%u recipes", (unsigned)counts.recipes_loaded);
    shaders(renderer);
    OK(nf_wait_for_pipelines(renderer));
    counts = counts_of(renderer);
    CHECK(counts.shaders_registered == 2 && counts.translated >= 2, "both are translated ahead");
    CHECK(counts.draw_builds == 0, "none built by draws yet");
    CHECK(counts.background_builds == (first ? 0 : 2), "%u built by workers", (unsigned)counts.background_builds);
    /* 0x80 + 0x80 + 0x80 saturates, 0x40 three times, 0x20 three times. */
    EXPECT(scene(renderer), 0xFFFFC060, "the scene");
    counts = counts_of(renderer);
    CHECK(counts.draw_builds == (first ? 2 : 0), "%u built by draws", (unsigned)counts.draw_builds);
    CHECK((counts.draw_build_ns > 0) == first, "and their time");
    CHECK(counts.prewarm_hits == (first ? 0 : 2), "%u prewarmed", (unsigned)counts.prewarm_hits);
    OK(nf_pipeline_cache_flush(renderer));
    counts = counts_of(renderer);
    CHECK(counts.recipes_recorded == (first ? 2 : 0), "%u recorded", (unsigned)counts.recipes_recorded);
    FAILS(NF_ERR_ARGS, "size is 1", nf_pipeline_stats(renderer, &counts, 1));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_pipeline_stats(renderer, NULL, sizeof counts));
    OK(nf_renderer_destroy(renderer));
    environment();
    return finish(first ? "sessions, the first" : "sessions, the second");
}
