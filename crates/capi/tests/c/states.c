/* Blending, masks, culling, depth, stencil, alpha test and overlays, with the equations worked out here. */
#include "common.h"

/* One pixel after a draw of one colour over another. */
static uint32_t over(nf_context context, const nf_draw_state *state, uint32_t destination, uint32_t source)
{
    quad q = make_quad(0, 0, 1, 1, 0.5f, source);
    OK(nf_clear(context, destination));
    OK(draw_quad(context, state, &q));
    return pixels(context, 1, 1)[0];
}

static double channel(uint32_t color, int index)
{
    return (color >> (index == 0 ? 16 : index == 1 ? 8 : index == 2 ? 0 : 24) & 0xFF) / 255.0;
}

/* A D3DBLEND factor of channel i; colours are alphas in the alpha channel, which is the fourth. */
static double factor(uint32_t d3dblend, int i, uint32_t s, uint32_t d)
{
    switch (d3dblend) {
    case 1: return 0;
    case 2: return 1;
    case 3: return channel(s, i);
    case 4: return 1 - channel(s, i);
    case 5: return channel(s, 3);
    case 6: return 1 - channel(s, 3);
    case 7: return channel(d, 3);
    case 8: return 1 - channel(d, 3);
    case 9: return channel(d, i);
    case 10: return 1 - channel(d, i);
    case 11: return i == 3 ? 1 : fmin(channel(s, 3), 1 - channel(d, 3));
    default: return 0;
    }
}

static uint32_t blended(uint32_t src, uint32_t dst, uint32_t op, uint32_t s, uint32_t d)
{
    double out[4];
    int i;
    for (i = 0; i < 4; i++) {
        double a = channel(s, i) * factor(src, i, s, d), b = channel(d, i) * factor(dst, i, s, d);
        out[i] = op == 1 ? a + b : op == 2 ? a - b : op == 3 ? b - a
               : op == 4 ? fmin(channel(s, i), channel(d, i)) : fmax(channel(s, i), channel(d, i));
    }
    return argb(out[3], out[0], out[1], out[2]);
}

static void blends(nf_renderer renderer)
{
    static const uint32_t modes[NF_BLEND_COUNT][2] = {
        { 2, 1 }, { 5, 6 }, { 2, 2 }, { 9, 1 }, { 9, 3 }, { 5, 1 }, { 5, 2 }, { 2, 6 }, { 7, 2 }, { 0, 0 },
    };
    const uint32_t s = 0x806030C0, d = 0x60408020;
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state state = draw_state();
    uint32_t mode, op;

    for (mode = 0; mode < NF_BLEND_CUSTOM; mode++) {
        state.blend = mode;
        EXPECT(over(context, &state, d, s), blended(modes[mode][0], modes[mode][1], 1, s, d), "a blend mode");
    }
    state.blend = NF_BLEND_CUSTOM;
    for (mode = 1; mode <= 11; mode++) {
        state.blend_src = mode, state.blend_dst = 2, state.blend_op = 1;
        EXPECT(over(context, &state, d, s), blended(mode, 2, 1, s, d), "a source factor");
        state.blend_src = 2, state.blend_dst = mode == 11 ? 1 : mode;
        EXPECT(over(context, &state, d, s), blended(2, state.blend_dst, 1, s, d), "a destination factor");
    }
    for (op = 1; op <= 5; op++) {
        state.blend_src = 2, state.blend_dst = 5, state.blend_op = op;
        EXPECT(over(context, &state, d, s), blended(2, 5, op, s, d), "an operation");
    }
    state.blend = NF_BLEND_NONE;
    state.blend_src = state.blend_op = 999;
    state.write_mask = 7;
    EXPECT(over(context, &state, d, s), (d & 0xFF000000) | (s & 0xFFFFFF), "alpha is kept");
    state.write_mask = 2;
    EXPECT(over(context, &state, d, s), (d & 0xFFFF00FF) | (s & 0xFF00), "green alone");
    state.write_mask = 0;
    EXPECT(over(context, &state, d, s), d, "nothing");

    /* An overlay's alpha accumulates coverage; the world's does not, before and after. */
    state.write_mask = 15;
    state.blend = NF_BLEND_SRC_ALPHA;
    for (op = 0; op < 4; op++) {
        double sa = channel(s, 3), da = channel(d, 3);
        uint32_t rgb = blended(5, 6, 1, s, d) & 0xFFFFFF;
        OK(nf_set_overlay_target(context, op & 1));
        EXPECT(over(context, &state, d, s),
               rgb | (argb((op & 1 ? sa : sa * sa) + da * (1 - sa), 0, 0, 0) & 0xFF000000), "an overlay");
    }
    OK(nf_destroy(context));
}

static void tests(nf_renderer renderer)
{
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state state = draw_state();
    quad q;
    uint32_t func, at;

    /* D3DCMP: never, less, equal, less or equal, greater, not equal, greater or equal, always. */
    for (func = 1; func <= 8; func++)
        for (at = 0; at < 3; at++) {
            /* Below, at and above; the bits of func - 1 say which pass: 1 less, 2 equal, 4 greater. */
            int passes = (int)((func - 1) >> at & 1);
            float z = 0.25f * (float)(at + 1);
            state.depth_test = 1;
            state.depth_func = func;
            OK(nf_clear_depth(context, 0.5f));
            OK(nf_clear(context, 0xFF000000));
            q = make_quad(0, 0, 1, 1, z, 0xFFFFFFFF);
            OK(draw_quad(context, &state, &q));
            EXPECT(pixels(context, 1, 1)[0], passes ? 0xFFFFFFFF : 0xFF000000, "the depth test");

            state.depth_test = 0;
            state.alpha_test = 1;
            state.alpha_func = func;
            state.alpha_ref = 0x380;
            EXPECT(over(context, &state, 0xFF123456, 0x40404040u * (at + 1)),
                   passes ? 0x40404040u * (at + 1) : 0xFF123456, "the alpha test");
            state.alpha_test = 0;

            OK(nf_clear_stencil(context, 5));
            state.stencil = 1;
            state.stencil_front.func = func;
            /* The reference is compared with what is there. */
            state.stencil_ref = 4 + at;
            EXPECT(over(context, &state, 0xFF000000, 0xFFFFFFFF), passes ? 0xFFFFFFFF : 0xFF000000,
                   "the stencil test");
            state.stencil = 0;
        }

    /* Depth is written when asked for. */
    state = draw_state();
    state.depth_test = state.depth_write = 1;
    OK(nf_clear_depth(context, 1));
    q = make_quad(0, 0, 1, 1, 0.25f, 0xFF0000FF);
    OK(draw_quad(context, &state, &q));
    state.depth_write = 0;
    EXPECT(over(context, &state, 0xFF112233, 0xFFFFFFFF), 0xFF112233, "behind what was drawn");

    /* Stencil operations: keep, zero, replace, increment and decrement that saturate, invert, and those
     * that wrap. */
    for (func = 1; func <= 8; func++) {
        static const uint32_t from[] = { 7, 7, 7, 255, 0, 0x0F, 255, 0 };
        static const uint32_t becomes[] = { 7, 0, 0x5A, 255, 0, 0xF0, 0, 255 };
        state = draw_state();
        state.stencil = 1;
        state.stencil_front.pass = func;
        state.stencil_ref = 0x5A;
        OK(nf_clear_stencil(context, from[func - 1]));
        OK(over(context, &state, 0, 0xFFFFFFFF) == 0xFFFFFFFF ? NF_OK : NF_ERR_INTERNAL);
        state.stencil_front.pass = 1;
        state.stencil_front.func = 3;
        state.stencil_ref = becomes[func - 1];
        EXPECT(over(context, &state, 0, 0xFFFFFFFF), 0xFFFFFFFF, "a stencil operation");
    }

    /* Culling, two-sided stencil. The strip's triangles are clockwise. */
    for (at = 1; at <= 3; at++) {
        state = draw_state();
        state.cull = at;
        EXPECT(over(context, &state, 0xFF000000, 0xFFFFFFFF), at == 2 ? 0xFF000000 : 0xFFFFFFFF, "culling");
    }
    state = draw_state();
    state.stencil = state.stencil_two_sided = 1;
    state.stencil_front.func = 1;
    state.stencil_back.func = 8;
    EXPECT(over(context, &state, 0xFF000000, 0xFFFFFFFF), 0xFF000000, "the front's test");
    q = make_quad(1, 0, 0, 1, 0.5f, 0xFFFFFFFF);
    OK(draw_quad(context, &state, &q));
    EXPECT(pixels(context, 1, 1)[0], 0xFFFFFFFF, "the back's test");
    OK(nf_destroy(context));
}

/* More states than native objects are kept: the counts stay bounded and the pixels right. */
static void pressure(nf_renderer renderer)
{
    nf_context context = make_context(renderer, 64, 3);
    nf_draw_state state = draw_state();
    nf_counts counts;
    const uint32_t *found;
    uint32_t i, wrong = 0;

    OK(nf_clear(context, 0xFF000000));
    OK(nf_clear_stencil(context, 0xFF));
    for (i = 0; i < 192; i++) {
        quad q = make_quad((float)(i % 64), (float)(i / 64), (float)(i % 64 + 1), (float)(i / 64 + 1), 0.5f,
                           0xFF000000 | (i + 1));
        state.stencil = 1;
        /* Equal, in the bits of a mask of its own. */
        state.stencil_front.func = 3;
        state.stencil_read_mask = i + 1;
        state.stencil_ref = 0xFF;
        OK(draw_quad(context, &state, &q));
    }
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.depth_stencil_states == 64, "%u depth-stencil states", (unsigned)counts.depth_stencil_states);
    found = pixels(context, 64, 3);
    for (i = 0; i < 192; i++)
        wrong += found[i] != (0xFF000000 | (i + 1));
    CHECK(wrong == 0, "%u of 192 pixels are wrong", wrong);
    OK(nf_destroy(context));
}

int main(void)
{
    nf_renderer renderer = make_renderer();
    blends(renderer);
    tests(renderer);
    pressure(renderer);
    OK(nf_renderer_destroy(renderer));
    return finish("states");
}
