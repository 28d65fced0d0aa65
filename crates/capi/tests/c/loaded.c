/* A program that loads the library when it runs, as plugins and other languages do. */
#include <dlfcn.h>
#include <ninefold.h>
#include <stdio.h>
#include <string.h>

enum { NO_GPU = 3 };

int main(void)
{
    void *library = dlopen("libninefold.so", RTLD_NOW | RTLD_LOCAL);
    int32_t (*renderer_create)(const nf_settings *, nf_renderer *);
    int32_t (*renderer_destroy)(nf_renderer);
    int32_t (*create)(nf_renderer, uint32_t, uint32_t, nf_context *);
    int32_t (*clear)(nf_context, uint32_t);
    int32_t (*read_framebuffer)(nf_context, void *, size_t, size_t);
    const char *(*last_error)(void);
    nf_renderer renderer;
    nf_context context;
    uint32_t pixel = 0;
    int32_t code;

    if (!library) {
        printf("%s\n", dlerror());
        return 1;
    }
    /* ISO C has no conversion from void * to a function: the bytes are the same. */
#define LOAD(name) \
    do { \
        void *found_ = dlsym(library, "nf_" #name); \
        if (!found_) { \
            printf("no nf_" #name "\n"); \
            return 1; \
        } \
        memcpy(&name, &found_, sizeof found_); \
    } while (0)
    LOAD(renderer_create);
    LOAD(renderer_destroy);
    LOAD(create);
    LOAD(clear);
    LOAD(read_framebuffer);
    LOAD(last_error);
    code = renderer_create(NULL, &renderer);
    if (code == NF_ERR_DEVICE)
        return NO_GPU;
    if (code || create(renderer, 1, 1, &context) || clear(context, 0xFF345678)
        || read_framebuffer(context, &pixel, sizeof pixel, 0) || renderer_destroy(renderer)) {
        printf("%s\n", last_error());
        return 1;
    }
    printf("loaded: pixel %08x\n", (unsigned)pixel);
    return pixel != 0xFF345678;
}
