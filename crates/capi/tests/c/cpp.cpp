// The header in C++: a renderer that ends itself, and calls by name spaces of the language.
#include "common.h"
#include <stdexcept>
#include <string>
#include <vector>

class Renderer {
public:
    Renderer() : handle(make_renderer()) {}
    ~Renderer() { OK(nf_renderer_destroy(handle)); }
    Renderer(const Renderer &) = delete;
    Renderer &operator=(const Renderer &) = delete;
    const nf_renderer handle;
};

static void check(int32_t code)
{
    if (code != NF_OK)
        throw std::runtime_error(nf_last_error());
}

int main()
{
    {
        Renderer renderer;
        nf_context context{};
        check(nf_create(renderer.handle, 2, 2, &context));
        nf_draw_state state{};
        check(nf_draw_state_init(&state, sizeof state));
        const quad q = make_quad(0, 0, 2, 1, 0.5f, 0xFFAA5500);
        check(draw_quad(context, &state, &q));
        std::vector<uint32_t> found(4);
        check(nf_read_framebuffer(context, found.data(), found.size() * 4, 0));
        CHECK(found[0] == 0xFFAA5500 && found[2] == 0xFF000000, "%08x %08x", found[0], found[2]);
        std::string what;
        try {
            check(nf_clear_stencil(context, 999));
        } catch (const std::runtime_error &error) {
            what = error.what();
        }
        CHECK(what.find("stencil is 999") != std::string::npos, "%s", what.c_str());
        int ok = 0;
        check(nf_commit_async(renderer.handle, [](void *arg, int32_t good) { *static_cast<int *>(arg) = good; }, &ok));
        CHECK(ok == 1, "a lambda is called back");
    }
    return finish("cpp");
}
