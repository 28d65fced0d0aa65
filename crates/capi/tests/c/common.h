/* What the test programs share: a renderer, quads, and pixels read back and compared. */
#ifndef COMMON_H
#define COMMON_H

#include <ninefold.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_GPU = 3, EDGE = 8 };

static int failures;
static int checks;

#define CHECK(condition, ...) \
    do { \
        checks++; \
        if (!(condition)) { \
            failures++; \
            printf("%s:%d: ", __FILE__, __LINE__); \
            printf(__VA_ARGS__); \
            printf("\n"); \
        } \
    } while (0)

#define OK(call) \
    do { \
        int32_t got_ = (call); \
        CHECK(got_ == NF_OK, "%s gave %d: %s", #call, got_, nf_last_error()); \
    } while (0)

/* A call that must fail with this code and name this in its text. */
#define FAILS(code, text, call) \
    do { \
        int32_t got_ = (call); \
        CHECK(got_ == (code), "%s gave %d, not %d: %s", #call, got_, (code), nf_last_error()); \
        CHECK(strstr(nf_last_error(), (text)) != NULL, "%s says \"%s\" without \"%s\"", #call, \
              nf_last_error(), (text)); \
    } while (0)

static inline int finish(const char *name)
{
    printf("%s: %d checks, %d failed\n", name, checks, failures);
    return failures != 0;
}

/* A renderer with these settings, or the end of the program. */
static inline nf_renderer renderer_with(const nf_settings *settings)
{
    nf_renderer renderer;
    char name[200];
    int32_t code = nf_renderer_create(settings, &renderer);
    if (code == NF_ERR_DEVICE) {
        fprintf(stderr, "%s\n", nf_last_error());
        exit(NO_GPU);
    }
    CHECK(code == NF_OK, "nf_renderer_create: %d: %s", code, nf_last_error());
    if (nf_adapter_name(renderer, name, sizeof name) > 0)
        fprintf(stderr, "adapter: %s\n", name);
    return renderer;
}

static inline void settings_of(nf_settings *settings)
{
    OK(nf_settings_init(settings, sizeof *settings));
    settings->pipeline_cache_dir = "";
}

static inline nf_renderer make_renderer(void)
{
    nf_settings settings;
    settings_of(&settings);
    return renderer_with(&settings);
}

static inline nf_context make_context(nf_renderer renderer, uint32_t width, uint32_t height)
{
    nf_context context;
    OK(nf_create(renderer, width, height, &context));
    return context;
}

static inline nf_draw_state draw_state(void)
{
    nf_draw_state state;
    OK(nf_draw_state_init(&state, sizeof state));
    return state;
}

/* Corners of the pixels from (x0, y0) up to but without (x1, y1), as a strip. */
typedef struct quad {
    nf_vertex_rhw v[4];
} quad;

static inline quad make_quad(float x0, float y0, float x1, float y1, float z, uint32_t color)
{
    quad q;
    int i;
    for (i = 0; i < 4; i++) {
        q.v[i].x = i & 1 ? x1 : x0;
        q.v[i].y = i & 2 ? y1 : y0;
        q.v[i].z = z;
        q.v[i].rhw = 1;
        q.v[i].color = color;
        q.v[i].u = i & 1 ? 1.0f : 0.0f;
        q.v[i].v = i & 2 ? 1.0f : 0.0f;
    }
    return q;
}

static inline int32_t draw_quad(nf_context context, const nf_draw_state *state, const quad *q)
{
    return nf_draw_rhw(context, state, NF_PRIMITIVE_TRIANGLE_STRIP, q->v, sizeof q->v[0], 4, NULL, 0);
}

/* The same corners as vertices of the fixed-function entry points. */
typedef struct fixed_quad {
    nf_vertex_fixed_rhw v[4];
} fixed_quad;

static inline fixed_quad make_fixed_quad(float x0, float y0, float x1, float y1)
{
    fixed_quad q;
    int i, c;
    memset(&q, 0, sizeof q);
    for (i = 0; i < 4; i++) {
        q.v[i].x = i & 1 ? x1 : x0;
        q.v[i].y = i & 2 ? y1 : y0;
        q.v[i].z = 0.5f;
        q.v[i].rhw = 1;
        for (c = 0; c < 4; c++)
            q.v[i].color[c] = 1;
    }
    return q;
}

/* All pixels of a context up to 64 x 64, as 0xAARRGGBB. */
static inline const uint32_t *pixels(nf_context context, uint32_t width, uint32_t height)
{
    static uint32_t found[64 * 64];
    memset(found, 0xEE, sizeof found);
    OK(nf_read_framebuffer(context, found, (size_t)width * height * 4, 0));
    return found;
}

static inline int near_to(uint32_t a, uint32_t b, int tolerance)
{
    int shift;
    for (shift = 0; shift < 32; shift += 8)
        if (abs((int)(a >> shift & 0xFF) - (int)(b >> shift & 0xFF)) > tolerance)
            return 0;
    return 1;
}

/* Every channel of a pixel, off by one in 255 at most. */
#define EXPECT(found, expected, what) \
    do { \
        uint32_t found_ = (found); \
        CHECK(near_to(found_, (expected), 1), "%s: %08x, not %08x", what, (unsigned)found_, \
              (unsigned)(expected)); \
    } while (0)

/* A 32-bit colour of numbers, which saturate. */
static inline uint32_t argb(double a, double r, double g, double b)
{
    double v[4];
    uint32_t out = 0;
    int i;
    v[0] = a, v[1] = r, v[2] = g, v[3] = b;
    for (i = 0; i < 4; i++) {
        double c = v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i];
        out = out << 8 | (uint32_t)(c * 255 + 0.5);
    }
    return out;
}

/* A BGRA8 texture of one level. */
static inline nf_texture make_texture(nf_renderer renderer, uint32_t width, uint32_t height,
                               const uint32_t *texels)
{
    nf_texture_desc desc;
    nf_texture texture;
    OK(nf_texture_desc_init(&desc, sizeof desc));
    desc.width = width;
    desc.height = height;
    OK(nf_texture_create(renderer, &desc, &texture));
    OK(nf_texture_update(texture, 0, 0, NULL, texels, (size_t)width * height * 4, 0, 0));
    return texture;
}

#endif
