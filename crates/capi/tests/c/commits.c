/* Submissions that call back, losing the device, several renderers and several threads. */
#include "common.h"
#include <pthread.h>
#include <time.h>

typedef struct calls {
    pthread_mutex_t lock;
    int made, good, order, wrong_order;
    int32_t inside;
    int commit_error_inside;
    nf_renderer renderer;
    nf_context context;
} calls;

typedef struct call {
    calls *to;
    int number;
} call;

static void done(void *arg, int32_t ok)
{
    call *this_call = arg;
    calls *to = this_call->to;
    nf_traffic traffic;
    pthread_mutex_lock(&to->lock);
    to->made++;
    to->good += ok;
    to->wrong_order += this_call->number != to->order++;
    /* What belongs to a renderer is refused here, but for the few that say so. */
    to->inside = nf_clear(to->context, 0);
    if (nf_renderer_destroy(to->renderer) != NF_ERR_STATE)
        to->inside = 2;
    if (nf_draw_traffic_stats(to->renderer, &traffic, sizeof traffic) != NF_OK
        || nf_fast_paths_enabled(to->renderer) < 0)
        to->inside = 1;
    to->commit_error_inside = strstr(nf_last_commit_error(to->renderer), "code -5: ") != NULL;
    pthread_mutex_unlock(&to->lock);
}

static int calls_made(calls *to)
{
    int made;
    pthread_mutex_lock(&to->lock);
    made = to->made;
    pthread_mutex_unlock(&to->lock);
    return made;
}

static void wait_for(calls *to, int count)
{
    const struct timespec moment = { 0, 1000000 };
    while (calls_made(to) < count)
        nanosleep(&moment, NULL);
}

static void callbacks(void)
{
    nf_renderer renderer = make_renderer();
    nf_context context = make_context(renderer, 64, 64);
    nf_draw_state state = draw_state();
    quad q = make_quad(0, 0, 64, 64, 0.5f, 0xFFABCDEF);
    static call numbered[100];
    calls to;
    int i;

    memset(&to, 0, sizeof to);
    pthread_mutex_init(&to.lock, NULL);
    to.renderer = renderer;
    to.context = context;
    for (i = 0; i < 100; i++)
        numbered[i].to = &to, numbered[i].number = i;
    OK(nf_wait_idle(renderer));

    /* Nothing was recorded: before the call returns. */
    OK(nf_commit_async(renderer, done, &numbered[0]));
    CHECK(to.made == 1 && to.good == 1, "at once");
    CHECK(to.inside == NF_ERR_STATE, "a renderer in a callback: %d", to.inside);
    CHECK(strstr(nf_last_error(), "callback") != NULL, "it says so: %s", nf_last_error());
    OK(nf_clear(context, 0));

    for (i = 1; i < 50; i++) {
        OK(draw_quad(context, &state, &q));
        OK(nf_commit_async(renderer, done, &numbered[i]));
    }
    wait_for(&to, 50);
    CHECK(to.good == 50 && to.wrong_order == 0, "%d of 50 good, %d out of order", to.good, to.wrong_order);
    CHECK(to.inside == NF_ERR_STATE, "a renderer in a callback of another thread: %d", to.inside);
    EXPECT(pixels(context, 64, 64)[100], 0xFFABCDEF, "it was drawn");
    CHECK(calls_made(&to) == 50, "and never again");

    FAILS(NF_ERR_ARGS, "done is NULL", nf_commit_async(renderer, NULL, &to));

    /* Whatever is outstanding has been called when the renderer is gone. */
    for (; i < 60; i++) {
        OK(draw_quad(context, &state, &q));
        OK(nf_commit_async(renderer, done, &numbered[i]));
    }
    OK(nf_renderer_destroy(renderer));
    CHECK(to.made == 60 && to.wrong_order == 0, "%d of 60", to.made);
    FAILS(NF_ERR_ARGS, "renderer", nf_commit_async(renderer, done, &numbered[60]));
    CHECK(to.made == 60, "not called when it fails");
}

static void lost(void)
{
    nf_renderer renderer = make_renderer(), other;
    nf_context context = make_context(renderer, 4, 4);
    nf_draw_state state = draw_state();
    quad q = make_quad(0, 0, 4, 4, 0.5f, 0xFFABCDEF);
    call number = { NULL, 0 };
    calls to;
    uint32_t found[16];
    nf_texture_desc desc;
    nf_texture texture;
    nf_counts counts;

    memset(&to, 0, sizeof to);
    pthread_mutex_init(&to.lock, NULL);
    to.renderer = renderer;
    to.context = context;
    number.to = &to;
    OK(draw_quad(context, &state, &q));
    OK(nf_lose_device(renderer));
    OK(nf_commit_async(renderer, done, &number));
    wait_for(&to, 1);
    CHECK(to.made == 1 && to.good == 0, "a commit of a lost device");
    CHECK(to.commit_error_inside, "the reason is there in the callback");
    CHECK(strncmp(nf_last_commit_error(renderer), "code -5: ", 9) == 0 && nf_last_commit_error(renderer)[9] != 0,
          "and after it: %s", nf_last_commit_error(renderer));
    FAILS(NF_ERR_DEVICE, "", nf_read_framebuffer(context, found, sizeof found, 0));
    FAILS(NF_ERR_DEVICE, "", nf_wait_idle(renderer));
    FAILS(NF_ERR_DEVICE, "", nf_resize(context, 2, 2));
    OK(nf_texture_desc_init(&desc, sizeof desc));
    FAILS(NF_ERR_DEVICE, "", nf_texture_create(renderer, &desc, &texture));
    FAILS(NF_ERR_DEVICE, "", nf_destroy(context));
    FAILS(NF_ERR_ARGS, "context", nf_clear(context, 0));
    OK(nf_stats(renderer, &counts, sizeof counts));
    CHECK(counts.contexts == 0, "it went all the same");

    /* Another renderer of the same process is well. */
    other = make_renderer();
    context = make_context(other, 4, 4);
    OK(draw_quad(context, &state, &q));
    OK(nf_read_framebuffer(context, found, sizeof found, 0));
    CHECK(found[0] == 0xFFABCDEF, "drawn after a loss");
    CHECK(nf_last_commit_error(other)[0] == 0, "errors are each renderer's own");
    OK(nf_renderer_destroy(renderer));
    CHECK(nf_last_commit_error(renderer)[0] == 0, "none of what is gone");
    OK(nf_renderer_destroy(other));
}

static void two(void)
{
    nf_renderer a = make_renderer(), b = make_renderer();
    nf_context in_a = make_context(a, 1, 1), in_b = make_context(b, 1, 1);
    static const uint32_t texel = 0xFF123456;
    nf_texture of_a = make_texture(a, 1, 1, &texel), target;
    nf_draw_state state = draw_state();
    quad q = make_quad(0, 0, 1, 1, 0.5f, 0xFFFFFFFF);

    CHECK(a.id != b.id && in_a.id != in_b.id, "handles differ");
    state.texture = of_a;
    OK(nf_clear(in_b, 0xFF777777));
    OK(draw_quad(in_a, &state, &q));
    EXPECT(pixels(in_a, 1, 1)[0], texel, "its own texture");
    FAILS(NF_ERR_TEXTURE, "texture", draw_quad(in_b, &state, &q));
    EXPECT(pixels(in_b, 1, 1)[0], 0xFF777777, "not the other's");
    OK(nf_target_texture(in_b, &target));
    FAILS(NF_ERR_TEXTURE, "destination", nf_blit_target_to(in_a, target));
    FAILS(NF_ERR_TEXTURE, "destination", nf_blit_texture_copy(of_a, target));
    OK(nf_renderer_destroy(a));
    EXPECT(pixels(in_b, 1, 1)[0], 0xFF777777, "the other lives on");
    FAILS(NF_ERR_TEXTURE, "texture", draw_quad(in_b, &state, &q));
    /* A renderer in the place of the first has other handles. */
    a = make_renderer();
    FAILS(NF_ERR_ARGS, "context", nf_clear(in_a, 0));
    OK(nf_renderer_destroy(b));
    OK(nf_renderer_destroy(a));
}

typedef struct worker {
    nf_renderer renderer;
    nf_context context;
    uint32_t color;
    int failed, own_error;
    volatile int *stop;
} worker;

static void *draws(void *arg)
{
    worker *w = arg;
    nf_draw_state state;
    quad q = make_quad(0, 0, 4, 4, 0.5f, w->color);
    int i;
    w->failed += nf_draw_state_init(&state, sizeof state) != NF_OK;
    for (i = 0; i < 200; i++) {
        uint32_t found[16];
        w->failed += nf_clear(w->context, 0) != NF_OK;
        w->failed += draw_quad(w->context, &state, &q) != NF_OK;
        if (i % 20 == 0) {
            w->failed += nf_read_framebuffer(w->context, found, sizeof found, 0) != NF_OK;
            w->failed += found[5] != w->color;
        }
    }
    /* The last error is each thread's own. */
    w->failed += nf_clear_stencil(w->context, 256 + w->color % 256) != NF_ERR_ARGS;
    {
        char expected[40];
        snprintf(expected, sizeof expected, "stencil is %u,", 256 + w->color % 256);
        w->own_error = strstr(nf_last_error(), expected) != NULL;
    }
    return NULL;
}

static void *watches(void *arg)
{
    worker *w = arg;
    uint64_t last = 0;
    while (!*w->stop) {
        nf_traffic traffic;
        w->failed += nf_draw_traffic_stats(w->renderer, &traffic, sizeof traffic) != NF_OK;
        w->failed += traffic.arena_bytes < last || nf_fast_paths_enabled(w->renderer) != 1;
        last = traffic.arena_bytes;
    }
    return NULL;
}

static void threads(void)
{
    enum { COUNT = 4 };
    nf_renderer renderers[2];
    pthread_t started[COUNT + 1];
    worker workers[COUNT + 1];
    volatile int stop = 0;
    int i;

    renderers[0] = make_renderer();
    renderers[1] = make_renderer();
    memset(workers, 0, sizeof workers);
    for (i = 0; i <= COUNT; i++) {
        workers[i].renderer = renderers[i % 2];
        workers[i].color = 0xFF000000u | 0x010203u * (uint32_t)(i + 1);
        workers[i].stop = &stop;
        if (i < COUNT)
            workers[i].context = make_context(renderers[i % 2], 4, 4);
        pthread_create(&started[i], NULL, i < COUNT ? draws : watches, &workers[i]);
    }
    for (i = 0; i < COUNT; i++)
        pthread_join(started[i], NULL);
    stop = 1;
    pthread_join(started[COUNT], NULL);
    for (i = 0; i <= COUNT; i++)
        CHECK(workers[i].failed == 0 && (i == COUNT || workers[i].own_error), "thread %d: %d failures", i,
              workers[i].failed);
    OK(nf_renderer_destroy(renderers[0]));
    OK(nf_renderer_destroy(renderers[1]));
}

static void *clears(void *arg)
{
    worker *w = arg;
    int32_t code;
    do
        code = nf_clear(w->context, w->color++);
    while (code == NF_OK);
    w->failed = code != NF_ERR_ARGS || strstr(nf_last_error(), "context") == NULL;
    return NULL;
}

/* A renderer ends while others call it: each call is done, or finds it gone. */
static void ending(void)
{
    const struct timespec moment = { 0, 20000000 };
    nf_renderer renderer = make_renderer();
    pthread_t started[3];
    worker workers[3];
    int i;

    memset(workers, 0, sizeof workers);
    for (i = 0; i < 3; i++) {
        workers[i].context = make_context(renderer, 4, 4);
        pthread_create(&started[i], NULL, clears, &workers[i]);
    }
    nanosleep(&moment, NULL);
    OK(nf_renderer_destroy(renderer));
    FAILS(NF_ERR_ARGS, "renderer", nf_renderer_destroy(renderer));
    for (i = 0; i < 3; i++) {
        pthread_join(started[i], NULL);
        CHECK(workers[i].failed == 0, "thread %d: %s", i, nf_last_error());
    }
}

static void *opens(void *arg)
{
    worker *w = arg;
    int i;
    for (i = 0; i < 4; i++) {
        nf_settings settings;
        nf_renderer renderer;
        nf_context context;
        uint32_t found = 0;
        w->failed += nf_settings_init(&settings, sizeof settings) != NF_OK;
        settings.pipeline_cache_dir = "";
        w->failed += nf_renderer_create(&settings, &renderer) != NF_OK;
        w->failed += nf_create(renderer, 1, 1, &context) != NF_OK || nf_clear(context, w->color) != NF_OK;
        w->failed += nf_read_framebuffer(context, &found, sizeof found, 0) != NF_OK || found != w->color;
        w->failed += nf_renderer_destroy(renderer) != NF_OK;
    }
    return NULL;
}

/* Renderers are made and ended by several threads at once. */
static void opening(void)
{
    pthread_t started[4];
    worker workers[4];
    int i;

    memset(workers, 0, sizeof workers);
    for (i = 0; i < 4; i++) {
        workers[i].color = 0xFF000001u + (uint32_t)i;
        pthread_create(&started[i], NULL, opens, &workers[i]);
    }
    for (i = 0; i < 4; i++) {
        pthread_join(started[i], NULL);
        CHECK(workers[i].failed == 0, "thread %d: %d failures", i, workers[i].failed);
    }
}

int main(void)
{
    callbacks();
    lost();
    two();
    threads();
    ending();
    opening();
    return finish("commits");
}
