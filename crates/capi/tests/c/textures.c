/* Textures: formats, levels, the content-keyed cache with its bounds, the table, and stale handles. */
#include "common.h"

static uint32_t seen(nf_context context, nf_texture texture, float u, const nf_sampler *sampler)
{
    nf_draw_state state = draw_state();
    quad q = make_quad(0, 0, 1, 1, 0.5f, 0xFFFFFFFF);
    int i;
    for (i = 0; i < 4; i++)
        q.v[i].u = u, q.v[i].v = 0.5f;
    state.texture = texture;
    state.sampler = sampler;
    OK(nf_clear(context, 0));
    OK(draw_quad(context, &state, &q));
    return pixels(context, 1, 1)[0];
}

static void formats(nf_renderer renderer)
{
    static const unsigned char rgba[] = { 0x11, 0x22, 0x33, 0x44 };
    static const signed char signs[] = { 127, -127 };
    static const float floats[] = { 0.25f, 0.5f, 1, 0.75f };
    static const uint16_t halves[] = { 0x3400, 0x3800, 0x3C00, 0x3A00 };
    /* Four colours of a block of DXT1: red, blue, and thirds between; every texel is the third one. */
    static const unsigned char dxt1[] = { 0x00, 0xF8, 0x1F, 0x00, 0xAA, 0xAA, 0xAA, 0xAA };
    /* DXT3: alpha 8/15 everywhere, then the same block; DXT5: alpha 0x40 everywhere. */
    static const unsigned char dxt3[] = { 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88,
                                          0x00, 0xF8, 0x1F, 0x00, 0xAA, 0xAA, 0xAA, 0xAA };
    static const unsigned char dxt5[] = { 0x40, 0x40, 0, 0, 0, 0, 0, 0,
                                          0x00, 0xF8, 0x1F, 0x00, 0xAA, 0xAA, 0xAA, 0xAA };
    static const struct {
        uint32_t format, edge;
        const void *texels;
        size_t size;
        uint32_t expected;
    } all[] = {
        { NF_FORMAT_RGBA8, 1, rgba, 4, 0x44112233 },
        { NF_FORMAT_RG8_SNORM, 1, signs, 2, 0xFFFF00FF },
        { NF_FORMAT_RGBA32F, 1, floats, 16, 0xBF4080FF },
        { NF_FORMAT_R32F, 1, floats, 4, 0xFF40FFFF },
        { NF_FORMAT_RG32F, 1, floats, 8, 0xFF4080FF },
        { NF_FORMAT_RGBA16F, 1, halves, 8, 0xBF4080FF },
        { NF_FORMAT_R16F, 1, halves, 2, 0xFF40FFFF },
        { NF_FORMAT_RG16F, 1, halves, 4, 0xFF4080FF },
        { NF_FORMAT_BC1, 4, dxt1, 8, 0xFFAA0055 },
        { NF_FORMAT_BC2, 4, dxt3, 16, 0x88AA0055 },
        { NF_FORMAT_BC3, 4, dxt5, 16, 0x40AA0055 },
    };
    nf_context context = make_context(renderer, 1, 1);
    nf_texture_desc desc;
    nf_texture texture;
    unsigned char back[16];
    size_t i;

    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        OK(nf_texture_desc_init(&desc, sizeof desc));
        desc.format = all[i].format;
        desc.width = desc.height = all[i].edge;
        OK(nf_texture_create(renderer, &desc, &texture));
        FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, NULL, all[i].texels, all[i].size - 1, 0, 0));
        OK(nf_texture_update(texture, 0, 0, NULL, all[i].texels, all[i].size, 0, 0));
        EXPECT(seen(context, texture, 0.5f, NULL), all[i].expected, "a format");
        FAILS(NF_ERR_BOUNDS, "size", nf_texture_read(texture, 0, 0, back, all[i].size - 1));
        OK(nf_texture_read(texture, 0, 0, back, all[i].size));
        CHECK(memcmp(back, all[i].texels, all[i].size) == 0, "format %u read back", all[i].format);
        OK(nf_texture_destroy(texture));
    }
    OK(nf_destroy(context));
}

static void levels_and_boxes(nf_renderer renderer)
{
    static const uint32_t small[2] = { 0xFFAA0000, 0xFF00AA00 };
    nf_texture_desc desc;
    nf_texture texture;
    nf_sampler sampler;
    nf_context context = make_context(renderer, 1, 1);
    uint32_t texels[4 * 3], back[2 * 4];
    nf_box box = { 1, 0, 1, 1, 2, 1 };
    int i;

    /* A volume of 2 x 2 x 2: the right column of the second slice, from rows of three texels. */
    for (i = 0; i < 12; i++)
        texels[i] = 0xFF000000u | (uint32_t)i;
    OK(nf_texture_desc_init(&desc, sizeof desc));
    desc.kind = NF_TEXTURE_VOLUME;
    desc.width = desc.height = desc.depth = 2;
    OK(nf_texture_create(renderer, &desc, &texture));
    OK(nf_texture_update(texture, 0, 0, &box, texels, 4 * 4, 12, 0));
    OK(nf_texture_read(texture, 0, 0, back, sizeof back));
    for (i = 0; i < 8; i++)
        CHECK(back[i] == (i == 5 ? texels[0] : i == 7 ? texels[3] : 0), "texel %d is %08x", i, back[i]);
    FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, &box, texels, 4 * 4 - 1, 12, 0));
    box.width = 2;
    FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, &box, texels, sizeof texels, 0, 0));
    box.x = box.width = 0xFFFFFFFFu;
    FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, &box, texels, sizeof texels, 0, 0));
    box.x = box.width = 0;
    FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, &box, texels, sizeof texels, 0, 0));
    FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, NULL, texels, sizeof texels, SIZE_MAX - 3, SIZE_MAX - 3));
    FAILS(NF_ERR_BOUNDS, "level is 1", nf_texture_update(texture, 1, 0, NULL, texels, sizeof texels, 0, 0));
    FAILS(NF_ERR_BOUNDS, "level is 4294967295", nf_texture_read(texture, ~0u, 0, back, sizeof back));
    FAILS(NF_ERR_BOUNDS, "", nf_texture_read(texture, 0, 1, back, sizeof back));
    FAILS(NF_ERR_ARGS, "texels is NULL", nf_texture_update(texture, 0, 0, NULL, NULL, 32, 0, 0));
    FAILS(NF_ERR_ARGS, "texels is NULL", nf_texture_read(texture, 0, 0, NULL, 32));
    OK(nf_texture_destroy(texture));
    FAILS(NF_ERR_TEXTURE, "texture", nf_texture_update(texture, 0, 0, NULL, texels, 32, 0, 0));
    FAILS(NF_ERR_TEXTURE, "texture", nf_texture_read(texture, 0, 0, back, sizeof back));
    FAILS(NF_ERR_TEXTURE, "texture", nf_texture_destroy(texture));

    /* Levels of one's own: the most detailed level allowed is read. */
    OK(nf_texture_desc_init(&desc, sizeof desc));
    desc.width = 2;
    desc.levels = 0;
    OK(nf_texture_create(renderer, &desc, &texture));
    OK(nf_texture_update(texture, 0, 0, NULL, small, 8, 0, 0));
    OK(nf_texture_update(texture, 1, 0, NULL, small + 1, 4, 0, 0));
    memset(&sampler, 0, sizeof sampler);
    sampler.mip_filter = 1;
    EXPECT(seen(context, texture, 0.25f, &sampler), small[0], "level 0");
    sampler.max_mip_level = 1;
    EXPECT(seen(context, texture, 0.25f, &sampler), small[1], "level 1");
    OK(nf_texture_destroy(texture));

#define DESC(field, value, code, text) \
    do { \
        OK(nf_texture_desc_init(&desc, sizeof desc)); \
        desc.field = (value); \
        texture.id = 1; \
        FAILS(code, text, nf_texture_create(renderer, &desc, &texture)); \
        CHECK(texture.id == 0, "no texture on failure"); \
    } while (0)
    DESC(struct_size, 0, NF_ERR_ARGS, "struct_size");
    DESC(kind, 3, NF_ERR_ARGS, "kind is 3");
    DESC(format, 0, NF_ERR_ARGS, "format is 0");
    DESC(format, 14, NF_ERR_ARGS, "format is 14");
    DESC(width, 0, NF_ERR_ARGS, "");
    DESC(height, 0xFFFFFFFFu, NF_ERR_ARGS, "");
    DESC(depth, 2, NF_ERR_ARGS, "depth is 2");
    DESC(levels, 2, NF_ERR_ARGS, "levels is 2");
    OK(nf_texture_desc_init(&desc, sizeof desc));
    desc.kind = NF_TEXTURE_CUBE;
    desc.width = 2;
    FAILS(NF_ERR_ARGS, "square", nf_texture_create(renderer, &desc, &texture));
    FAILS(NF_ERR_ARGS, "desc is NULL", nf_texture_create(renderer, NULL, &texture));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_texture_create(renderer, &desc, NULL));
    OK(nf_destroy(context));
}

static uint32_t big[256 * 256];

static void chains(nf_renderer renderer)
{
    /* Levels are means: of a checkerboard, grey. */
    static const uint32_t board[4] = { 0xFFFFFFFF, 0xFF000000, 0xFF000000, 0xFFFFFFFF };
    nf_context context = make_context(renderer, 1, 1);
    nf_texture texture, again;
    nf_counts counts;
    nf_sampler sampler;

    OK(nf_texture_create_cached(renderer, 1, 3, 5, big, 3 * 5 * 4, &texture));
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.cached_texture_bytes == 72 && counts.cached_textures == 1, "3 x 5 are %u bytes",
          (unsigned)counts.cached_texture_bytes);
    OK(nf_texture_destroy(texture));
    OK(nf_texture_create_cached(renderer, 1, 256, 256, big, sizeof big, &again));
    CHECK(again.id != texture.id, "handles are not given twice");
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.cached_texture_bytes == 349524, "256 x 256 are %u bytes", (unsigned)counts.cached_texture_bytes);
    OK(nf_texture_create_cached_nomip(renderer, 2, 256, 256, big, sizeof big, &texture));
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.cached_texture_bytes == 349524 + 262144, "and one level");
    OK(nf_texture_create_cached(renderer, 3, 2, 2, board, sizeof board, &texture));
    memset(&sampler, 0, sizeof sampler);
    sampler.mip_filter = 1;
    sampler.max_mip_level = 1;
    EXPECT(seen(context, texture, 0.25f, &sampler), 0xFF808080, "the mean");
    /* What is there is given as it is. */
    OK(nf_texture_create_cached(renderer, 3, 1, 1, big, 4, &again));
    CHECK(again.id == texture.id, "one key, one texture");
    OK(nf_texture_find_cached(renderer, 3, &again));
    CHECK(again.id == texture.id, "found");
    OK(nf_texture_find_cached(renderer, 4, &again));
    CHECK(again.id == 0, "not found");
    FAILS(NF_ERR_TEXTURE, "contents are its key's", nf_texture_update(texture, 0, 0, NULL, board, 16, 0, 0));
    FAILS(NF_ERR_BOUNDS, "size is 15", nf_texture_create_cached(renderer, 9, 2, 2, board, 15, &again));
    FAILS(NF_ERR_BOUNDS, "size is 17", nf_texture_create_cached(renderer, 9, 2, 2, board, 17, &again));
    FAILS(NF_ERR_BOUNDS, "expected 96", nf_texture_create_cached_cube(renderer, 9, 2, board, 16, &again));
    FAILS(NF_ERR_BOUNDS, "expected 32", nf_texture_create_cached_volume(renderer, 9, 2, 2, 2, board, 16, &again));
    FAILS(NF_ERR_ARGS, "0 x 2", nf_texture_create_cached(renderer, 9, 0, 2, board, 0, &again));
    FAILS(NF_ERR_ARGS, "", nf_texture_create_cached_cube(renderer, 9, ~0u, board, 16, &again));
    FAILS(NF_ERR_ARGS, "", nf_texture_create_cached_volume(renderer, 9, ~0u, ~0u, ~0u, board, 16, &again));
    FAILS(NF_ERR_ARGS, "texels is NULL", nf_texture_create_cached(renderer, 9, 2, 2, NULL, 16, &again));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_texture_create_cached(renderer, 9, 2, 2, board, 16, NULL));
    FAILS(NF_ERR_ARGS, "out is NULL", nf_texture_find_cached(renderer, 9, NULL));
    CHECK(again.id == 0, "nothing on failure");
    OK(nf_destroy(context));
}

/* A budget of 1 KiB: 16 x 16 texels without mips are all of it. */
static void budget(void)
{
    nf_settings settings;
    nf_renderer renderer;
    nf_context context;
    nf_texture a, b, found;
    nf_counts counts;
    uint32_t i;

    settings_of(&settings);
    settings.texture_cache_bytes = 1024;
    settings.texture_cache_entries = 3;
    renderer = renderer_with(&settings);
    context = make_context(renderer, 1, 1);
    for (i = 0; i < 256; i++)
        big[i] = 0xFF00CC00;
    OK(nf_begin_binding_scope(renderer));
    OK(nf_texture_create_cached_nomip(renderer, 1, 16, 16, big, 1024, &a));
    FAILS(NF_ERR_TEXTURE, "does not fit", nf_texture_create_cached_nomip(renderer, 2, 1, 1, big, 4, &b));
    CHECK(b.id == 0, "nothing on failure");
    OK(nf_end_binding_scope(renderer));
    /* Another scope: what it finds is pinned, too. */
    OK(nf_begin_binding_scope(renderer));
    OK(nf_texture_find_cached(renderer, 1, &found));
    CHECK(found.id == a.id, "found in a scope");
    FAILS(NF_ERR_TEXTURE, "does not fit", nf_texture_create_cached_nomip(renderer, 2, 1, 1, big, 4, &b));
    OK(nf_end_binding_scope(renderer));
    /* A draw is not affected by what goes after it. */
    {
        nf_draw_state state = draw_state();
        quad q = make_quad(0, 0, 1, 1, 0.5f, 0xFFFFFFFF);
        state.texture = a;
        OK(draw_quad(context, &state, &q));
        OK(nf_texture_create_cached_nomip(renderer, 2, 1, 1, big, 4, &b));
        EXPECT(pixels(context, 1, 1)[0], 0xFF00CC00, "a texture that went");
        FAILS(NF_ERR_TEXTURE, "texture", draw_quad(context, &state, &q));
        /* The same key again is another texture. */
        OK(nf_texture_create_cached_nomip(renderer, 1, 1, 1, big, 4, &found));
        CHECK(found.id != a.id, "a handle for the entry that came back");
        FAILS(NF_ERR_TEXTURE, "texture", draw_quad(context, &state, &q));
        state.texture = found;
        OK(draw_quad(context, &state, &q));
    }
    /* A key that went, looked up by its old handle: not there either. */
    FAILS(NF_ERR_TEXTURE, "texture", nf_texture_destroy(a));
    /* The oldest go when there are more than three; a draw makes one young. */
    OK(nf_texture_create_cached_nomip(renderer, 3, 1, 1, big, 4, &a));
    seen(context, b, 0.5f, NULL);
    OK(nf_texture_create_cached_nomip(renderer, 4, 1, 1, big, 4, &a));
    OK(nf_texture_find_cached(renderer, 1, &found));
    CHECK(found.id == 0, "the oldest went");
    OK(nf_texture_find_cached(renderer, 2, &found));
    CHECK(found.id == b.id, "the one that was drawn with stayed");
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.cached_textures == 3, "three of three");
    OK(nf_renderer_destroy(renderer));
}

static void table(nf_renderer renderer)
{
    static nf_texture all[4096];
    nf_texture_desc desc;
    nf_texture more, target;
    nf_context context, another = { 9 };
    nf_counts counts;
    uint32_t i, made = 0, wrong = 0;

    OK(nf_stats(renderer, &counts, sizeof counts));
    context = make_context(renderer, 1, 1);
    OK(nf_texture_desc_init(&desc, sizeof desc));
    for (i = (uint32_t)counts.textures + 1; i < 4096; i++)
        wrong += nf_texture_create(renderer, &desc, &all[made++]) != NF_OK;
    CHECK(wrong == 0, "%u of %u textures were refused: %s", wrong, made, nf_last_error());
    FAILS(NF_ERR_TEXTURE, "4096", nf_texture_create(renderer, &desc, &more));
    FAILS(NF_ERR_TEXTURE, "4096", nf_create(renderer, 1, 1, &another));
    CHECK(another.id == 0, "no context on failure");
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.textures == 4096 && counts.contexts == 1, "%u textures, %u contexts", (unsigned)counts.textures,
          (unsigned)counts.contexts);
    OK(nf_texture_destroy(all[7]));
    OK(nf_texture_create(renderer, &desc, &more));
    CHECK(more.id != all[7].id, "a place is used again, its handle is not");
    FAILS(NF_ERR_TEXTURE, "texture", nf_texture_destroy(all[7]));
    OK(nf_target_texture(context, &target));
    FAILS(NF_ERR_ARGS, "target of a context", nf_texture_destroy(target));
    OK(nf_destroy(context));
    for (i = 0; i < made; i++)
        if (i != 7)
            wrong += nf_texture_destroy(all[i]) != NF_OK;
    OK(nf_texture_destroy(more));
    CHECK(wrong == 0, "%u could not be destroyed", wrong);
    /* Entries of the cache that went give their places back when they are needed. */
    for (i = 0; i < 5000; i++)
        wrong += nf_texture_create_cached_nomip(renderer, 1000 + i, 1, 1, &i, 4, &more) != NF_OK;
    CHECK(wrong == 0, "%u cached textures were refused: %s", wrong, nf_last_error());
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.cached_textures == 1024 && counts.textures <= 4096, "%u cached, %u in the table",
          (unsigned)counts.cached_textures, (unsigned)counts.textures);
}

/* A pitch that no memory has, and textures of nothing and of a renderer that is gone. */
static void edges(void)
{
    nf_renderer renderer = make_renderer();
    nf_texture_desc desc;
    nf_texture texture, none = { 0 };
    uint32_t texels[4] = { 1, 2, 3, 4 }, back[4];

    OK(nf_texture_desc_init(&desc, sizeof desc));
    desc.width = desc.height = 2;
    OK(nf_texture_create(renderer, &desc, &texture));
    FAILS(NF_ERR_BOUNDS, "", nf_texture_update(texture, 0, 0, NULL, texels, sizeof texels, SIZE_MAX - 3, 0));
    FAILS(NF_ERR_TEXTURE, "its id is 0", nf_texture_update(none, 0, 0, NULL, texels, sizeof texels, 0, 0));
    FAILS(NF_ERR_TEXTURE, "its id is 0", nf_texture_destroy(none));
    OK(nf_renderer_destroy(renderer));
    FAILS(NF_ERR_TEXTURE, "alive", nf_texture_update(texture, 0, 0, NULL, texels, sizeof texels, 0, 0));
    FAILS(NF_ERR_TEXTURE, "alive", nf_texture_read(texture, 0, 0, back, sizeof back));
    FAILS(NF_ERR_TEXTURE, "source", nf_blit_texture_copy(texture, texture));
    FAILS(NF_ERR_TEXTURE, "alive", nf_texture_destroy(texture));
}

int main(void)
{
    nf_renderer renderer = make_renderer();
    edges();
    formats(renderer);
    levels_and_boxes(renderer);
    chains(renderer);
    table(renderer);
    OK(nf_renderer_destroy(renderer));
    budget();
    return finish("textures");
}
