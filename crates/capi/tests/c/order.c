/* Everything happens on the GPU in the order of the calls, with fast paths on, off and switched. */
#include "common.h"

static void square(nf_context context, const nf_draw_state *state, float x, uint32_t color)
{
    quad q = make_quad(x, 0, x + 1, 1, 0.5f, color);
    OK(draw_quad(context, state, &q));
}

static void sequence(nf_renderer renderer)
{
    static const uint32_t red = 0xFFFF0000, green = 0xFF00FF00;
    nf_context inner = make_context(renderer, 1, 1), outer = make_context(renderer, 6, 1);
    nf_draw_state plain = draw_state(), reads = draw_state();
    nf_texture target, again, texture = make_texture(renderer, 1, 1, &red);
    uint32_t written[2 * 5] = { 0xFF0000FF, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33 };
    const uint32_t *found;
    quad q;

    OK(nf_target_texture(inner, &target));
    OK(nf_target_texture(inner, &again));
    CHECK(target.id == again.id && target.id != 0, "the handle of a target stays");

    /* A target is read as it was at that point: cleared, drawn over, written, and cleared again. */
    OK(nf_clear(outer, 0));
    reads.texture = target;
    OK(nf_clear(inner, 0xFF111111));
    square(outer, &reads, 0, 0xFFFFFFFF);
    square(inner, &plain, 0, 0xFF222222);
    square(outer, &reads, 1, 0xFFFFFFFF);
    OK(nf_write_framebuffer(inner, written, 4, 0));
    written[0] = 0;
    square(outer, &reads, 2, 0xFFFFFFFF);
    OK(nf_clear(inner, 0xFF444444));
    square(outer, &reads, 3, 0xFFFFFFFF);
    /* A texture is changed between two draws. */
    reads.texture = texture;
    square(outer, &reads, 4, 0xFFFFFFFF);
    OK(nf_texture_update(texture, 0, 0, NULL, &green, 4, 0, 0));
    square(outer, &reads, 5, 0xFFFFFFFF);
    OK(nf_texture_destroy(texture));
    found = pixels(outer, 6, 1);
    EXPECT(found[0], 0xFF111111, "a clear that waited");
    EXPECT(found[1], 0xFF222222, "a draw");
    EXPECT(found[2], 0xFF0000FF, "pixels of the program");
    EXPECT(found[3], 0xFF444444, "a later clear");
    EXPECT(found[4], red, "texels before");
    EXPECT(found[5], green, "texels after");

    /* Vertices are copied by the draw. */
    q = make_quad(0, 0, 1, 1, 0.5f, 0xFF987654);
    OK(draw_quad(inner, &plain, &q));
    memset(&q, 0, sizeof q);
    EXPECT(pixels(inner, 1, 1)[0], 0xFF987654, "vertices that are gone");

    /* A context that goes takes its target's handle along, but not what reads it already. */
    OK(nf_clear(inner, 0xFF00AAAA));
    reads.texture = target;
    square(outer, &reads, 0, 0xFFFFFFFF);
    OK(nf_destroy(inner));
    EXPECT(pixels(outer, 6, 1)[0], 0xFF00AAAA, "a target that is gone");
    FAILS(NF_ERR_TEXTURE, "texture", draw_quad(outer, &reads, &q));
    FAILS(NF_ERR_ARGS, "context", nf_clear(inner, 0));
    OK(nf_destroy(outer));
}

static void framebuffers(nf_renderer renderer)
{
    nf_context context = make_context(renderer, 3, 2);
    uint32_t rows[2][5], back[2][7];
    int x, y;

    for (y = 0; y < 2; y++)
        for (x = 0; x < 5; x++)
            rows[y][x] = 0xFF000000u | (uint32_t)(y << 8 | x);
    memset(back, 0xAB, sizeof back);
    OK(nf_write_framebuffer(context, rows, sizeof rows - 8, sizeof rows[0]));
    OK(nf_read_framebuffer(context, back, sizeof back - 16, sizeof back[0]));
    for (y = 0; y < 2; y++)
        for (x = 0; x < 7; x++)
            CHECK(back[y][x] == (x < 3 ? rows[y][x] : 0xABABABABu), "(%d, %d): %08x", x, y, back[y][x]);
    FAILS(NF_ERR_BOUNDS, "size", nf_write_framebuffer(context, rows, 23, 0));
    FAILS(NF_ERR_BOUNDS, "size", nf_read_framebuffer(context, back, 23, 0));
    FAILS(NF_ERR_BOUNDS, "size", nf_read_framebuffer(context, back, sizeof back, (size_t)-1));
    FAILS(NF_ERR_ARGS, "row_pitch", nf_read_framebuffer(context, back, sizeof back, 11));
    FAILS(NF_ERR_ARGS, "pixels is NULL", nf_write_framebuffer(context, NULL, 24, 0));
    FAILS(NF_ERR_ARGS, "pixels is NULL", nf_read_framebuffer(context, NULL, 24, 0));

    /* Another size: black again, the viewport all of it, depth 1. */
    OK(nf_set_viewport(context, 0, 0, 1, 1));
    OK(nf_resize(context, 2, 4));
    memset(back, 0, sizeof back);
    OK(nf_read_framebuffer(context, back, 32, 0));
    for (x = 0; x < 8; x++)
        CHECK(((uint32_t *)back)[x] == 0xFF000000, "black after a resize");
    {
        nf_draw_state state = draw_state();
        quad q = make_quad(0, 0, 2, 4, 0.99f, 0xFFFFFFFF);
        state.depth_test = 1;
        OK(draw_quad(context, &state, &q));
        OK(nf_read_framebuffer(context, back, 32, 0));
        CHECK(((uint32_t *)back)[7] == 0xFFFFFFFF, "the viewport and depth after a resize");
    }
    FAILS(NF_ERR_ARGS, "8192", nf_resize(context, 0, 1));
    FAILS(NF_ERR_ARGS, "8192", nf_resize(context, 1, 8193));
    OK(nf_read_framebuffer(context, back, 32, 0));
    CHECK(((uint32_t *)back)[7] == 0xFFFFFFFF, "a resize that failed changes nothing");
    OK(nf_destroy(context));
}

static void publication(nf_renderer renderer)
{
    nf_context context = make_context(renderer, EDGE, EDGE);
    nf_draw_state state = draw_state();
    nf_texture_desc desc;
    nf_texture plain, target, copy, source;
    uint32_t found[EDGE * EDGE];
    nf_vertex_rhw v[3];
    int32_t filtered = 9;
    int i, between = 0;

    OK(nf_texture_desc_init(&desc, sizeof desc));
    desc.width = desc.height = EDGE;
    OK(nf_texture_create(renderer, &desc, &plain));
    OK(nf_texture_create(renderer, &desc, &copy));
    desc.target = 1;
    OK(nf_texture_create(renderer, &desc, &target));

    /* The lower left half white. */
    memset(v, 0, sizeof v);
    for (i = 0; i < 3; i++)
        v[i].rhw = 1, v[i].color = 0xFFFFFFFF, v[i].x = i == 2 ? EDGE : 0.0f, v[i].y = i == 0 ? 0.0f : EDGE;
    OK(nf_draw_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, v, sizeof v[0], 3, NULL, 0));
    OK(nf_blit_target_to(context, plain));
    OK(nf_clear(context, 0xFF0000FF));
    OK(nf_blit_texture_copy(plain, copy));
    OK(nf_texture_read(copy, 0, 0, found, sizeof found));
    CHECK(found[0] == 0xFF000000 || found[0] == 0xFFFFFFFF, "the corner is on the edge");
    CHECK(found[7 * EDGE] == 0xFFFFFFFF && found[7] == 0xFF000000, "copied before the clear");

    /* One colour is left alone by the filter, an edge is not. */
    OK(nf_fxaa_target_to(context, target, 0.75f, &filtered));
    CHECK(filtered == 1, "filtered into a target");
    OK(nf_texture_read(target, 0, 0, found, sizeof found));
    for (i = 0; i < EDGE * EDGE; i++)
        CHECK(found[i] == 0xFF0000FF, "a flat picture stays");
    OK(nf_clear(context, 0xFF000000));
    OK(nf_draw_rhw(context, &state, NF_PRIMITIVE_TRIANGLE_LIST, v, sizeof v[0], 3, NULL, 0));
    OK(nf_fxaa_target_to(context, target, 0.75f, NULL));
    OK(nf_texture_read(target, 0, 0, found, sizeof found));
    for (i = 0; i < EDGE * EDGE; i++)
        between += (found[i] & 0xFF) > 16 && (found[i] & 0xFF) < 239;
    CHECK(between >= 6, "%d pixels of the edge are between", between);
    OK(nf_fxaa_target_to(context, plain, 0.75f, &filtered));
    CHECK(filtered == 0, "copied into what is no target");
    OK(nf_texture_read(plain, 0, 0, found, sizeof found));
    CHECK(found[7 * EDGE] == 0xFFFFFFFF && found[7] == 0xFF000000, "copied plainly");

    OK(nf_target_texture(context, &source));
    FAILS(NF_ERR_ARGS, "destination is the source", nf_blit_target_to(context, source));
    FAILS(NF_ERR_ARGS, "", nf_fxaa_target_to(context, source, 0.5f, NULL));
    FAILS(NF_ERR_ARGS, "subpixel", nf_fxaa_target_to(context, target, NAN, NULL));
    FAILS(NF_ERR_ARGS, "subpixel", nf_fxaa_target_to(context, target, INFINITY, NULL));
    OK(nf_resize(context, EDGE, EDGE + 1));
    FAILS(NF_ERR_ARGS, "destination", nf_blit_target_to(context, plain));
    FAILS(NF_ERR_ARGS, "", nf_fxaa_target_to(context, target, 0.5f, NULL));
    OK(nf_texture_destroy(plain));
    FAILS(NF_ERR_TEXTURE, "destination", nf_blit_target_to(context, plain));
    FAILS(NF_ERR_TEXTURE, "destination", nf_fxaa_target_to(context, plain, 0.5f, NULL));
    FAILS(NF_ERR_TEXTURE, "source", nf_blit_texture_copy(plain, copy));
    FAILS(NF_ERR_TEXTURE, "destination", nf_blit_texture_copy(copy, plain));
    FAILS(NF_ERR_ARGS, "source", nf_blit_texture_copy(copy, copy));
    OK(nf_texture_destroy(copy));
    OK(nf_texture_destroy(target));
    OK(nf_destroy(context));
}

static void folding(nf_renderer renderer)
{
    nf_context context = make_context(renderer, 1, 1);
    nf_draw_state state = draw_state();
    nf_traffic before, after;

    OK(nf_set_fast_paths(renderer, 1));
    OK(nf_wait_idle(renderer));
    OK(nf_draw_traffic_stats(renderer, &before, sizeof before));
    OK(nf_clear(context, 0xFF123456));
    OK(nf_clear_depth(context, 0.5f));
    square(context, &state, 0, 0xFFFFFFFF);
    OK(nf_draw_traffic_stats(renderer, &after, sizeof after));
    CHECK(after.clears_folded == before.clears_folded + 2, "%u clears folded",
          (unsigned)(after.clears_folded - before.clears_folded));
    CHECK(after.arena_bytes > before.arena_bytes && after.arena_vertex_bytes > before.arena_vertex_bytes,
          "bytes are counted");
    OK(nf_set_fast_paths(renderer, 0));
    OK(nf_wait_idle(renderer));
    OK(nf_draw_traffic_stats(renderer, &before, sizeof before));
    OK(nf_clear(context, 0xFF123456));
    square(context, &state, 0, 0xFFFFFFFF);
    OK(nf_draw_traffic_stats(renderer, &after, sizeof after));
    CHECK(after.clears_folded == before.clears_folded, "none without fast paths");
    OK(nf_destroy(context));
}

int main(void)
{
    nf_renderer renderer = make_renderer();
    int round;
    for (round = 0; round < 4; round++) {
        OK(nf_set_fast_paths(renderer, round != 1));
        sequence(renderer);
        framebuffers(renderer);
        publication(renderer);
    }
    folding(renderer);
    OK(nf_renderer_destroy(renderer));
    return finish("order");
}
