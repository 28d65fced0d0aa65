// Reads requests from standard input, runs the function each names, writes what it gives.
// The text of the functions, the table of them and this file become one program.
#include <cstdio>
#include <cstdlib>

struct Request {
    uint32_t function;
    uint32_t pictures[16];   // by sampler register: 0 none, 1 grid, 2 cube, 3 volume
    uint32_t reserved[3];
    float constants[256][4];
    float extras[180][4];
    float values[32][4];     // attributes or varyings by location
    float position[4];
    uint32_t large[320][4];
};
struct Answer {
    uint32_t killed;
    uint32_t reserved[3];
    float values[32][4];     // varyings or colours by location
    float position[4];
    float depth[4];
    float point_size[4];
};

typedef void (*Run)(const Request &, Answer &);
extern const Run functions[];
extern const uint32_t function_count;

static const Request *current;

static int texel(float coordinate, int size) {
    int at = int(floorf(coordinate * float(size)));
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

// Point sampling and clamped coordinates; the pictures are those of tests/cases/README.md.
static void read_picture(int slot, int, const float *c, metal::level_kind kind, float level,
                         float *out) {
    uint32_t picture = slot < 16 ? current->pictures[slot] : 0;
    out[0] = out[1] = out[2] = 0.0f;
    out[3] = 1.0f;
    if (picture == 1) {
        // A lone pixel has no derivatives: an automatic level is the largest, whatever the bias.
        float of = kind == metal::level_kind::level ? level
                   : kind == metal::level_kind::gradient ? level + 4.0f : 0.0f;
        int mip = of > 0.5f ? 1 : 0;
        int size = 16 >> mip;
        out[0] = float(texel(c[0], size));
        out[1] = float(texel(c[1], size));
        out[2] = float(mip);
    } else if (picture == 2) {
        float x = fabsf(c[0]), y = fabsf(c[1]), z = fabsf(c[2]);
        int face = x >= y && x >= z ? (c[0] < 0.0f) : y >= z ? 2 + (c[1] < 0.0f) : 4 + (c[2] < 0.0f);
        out[0] = out[1] = out[2] = float(face);
    } else if (picture == 3) {
        for (int i = 0; i < 3; ++i) out[i] = float(texel(c[i], 4));
    }
}

static void size_picture(int slot, unsigned *size) {
    uint32_t picture = slot < 16 ? current->pictures[slot] : 0;
    size[0] = size[1] = picture == 1 ? 16 : picture == 3 ? 4 : 1;
    size[2] = picture == 3 ? 4 : 1;
}

static metal::float4 load(const float *from) {
    return metal::float4{from[0], from[1], from[2], from[3]};
}
static void store(float *to, metal::float4 value) {
    for (int i = 0; i < 4; ++i) to[i] = value[i];
}
static void store(float *to, float value) {
    for (int i = 0; i < 4; ++i) to[i] = value;
}

int main() {
    metal::sample_texture = read_picture;
    metal::size_texture = size_picture;
    static Request request __attribute__((aligned(16)));
    while (fread(&request, sizeof request, 1, stdin) == 1) {
        if (request.function >= function_count) return 1;
        Answer answer{};
        current = &request;
        metal::discarded = false;
        functions[request.function](request, answer);
        answer.killed = metal::discarded;
        if (fwrite(&answer, sizeof answer, 1, stdout) != 1) return 1;
    }
    return 0;
}
