/* Random lives: objects made, referenced, bound, found again and released in any order, against a
 * model of what every count must be. */
#include "common.h"

enum { OBJECTS = 24, STAGES = 8, STEPS = 40000 };

struct life {
    IDirect3DTexture9 *texture; /* null: none, or gone */
    ULONG references; /* the program's, over the texture and its level */
    ULONG levels; /* of these, on the level */
    IDirect3DSurface9 *level;
};

static struct life lives[OBJECTS];
static int bound[STAGES]; /* the object at each stage, or -1 */
static IDirect3DDevice9 *device;
static unsigned seed = 12345;

static unsigned next_random(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static int is_bound(int n)
{
    int i;
    for (i = 0; i < STAGES; i++)
        if (bound[i] == n)
            return 1;
    return 0;
}

static void forget_if_gone(int n)
{
    if (lives[n].references == 0 && !is_bound(n)) {
        lives[n].texture = NULL;
        lives[n].level = NULL;
    }
}

static ULONG children(void)
{
    ULONG n = 0;
    int i;
    for (i = 0; i < OBJECTS; i++)
        n += lives[i].references != 0;
    return n;
}

static void step(void)
{
    int n = (int)next_random(OBJECTS), stage = (int)next_random(STAGES);
    struct life *life = &lives[n];

    switch (next_random(8)) {
    case 0: /* make */
        if (!life->texture) {
            OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &life->texture, NULL));
            life->references = 1;
            life->levels = 0;
        }
        break;
    case 1: /* one more */
        if (life->references > life->levels) {
            life->references++;
            CHECK(IDirect3DTexture9_AddRef(life->texture) == life->references, "AddRef of %d", n);
        }
        break;
    case 2: /* one less */
    case 3:
        if (life->references > life->levels) {
            life->references--;
            CHECK(IDirect3DTexture9_Release(life->texture) == life->references, "Release of %d", n);
            forget_if_gone(n);
        }
        break;
    case 4: /* the level */
        if (life->references > life->levels) {
            IDirect3DSurface9 *level = NULL;
            OK(IDirect3DTexture9_GetSurfaceLevel(life->texture, 0, &level));
            CHECK(!life->level || life->level == level, "the level of %d is another object", n);
            life->level = level;
            life->references++;
            life->levels++;
        }
        break;
    case 5: /* the level's reference back */
        if (life->levels) {
            life->references--;
            life->levels--;
            CHECK(IDirect3DSurface9_Release(life->level) == life->references, "Release of the level of %d", n);
            forget_if_gone(n);
        }
        break;
    case 6: /* bind, or bind nothing */
        if (life->references > life->levels || next_random(2)) {
            int old = bound[stage];
            int with = life->references > life->levels ? n : -1;
            OK(IDirect3DDevice9_SetTexture(device, (DWORD)stage, with < 0 ? NULL : (IDirect3DBaseTexture9 *)life->texture));
            bound[stage] = with;
            if (old >= 0)
                forget_if_gone(old);
        }
        break;
    case 7: { /* find what is bound */
        IDirect3DTexture9 *found = NULL;
        OK(IDirect3DDevice9_GetTexture(device, (DWORD)stage, (IDirect3DBaseTexture9 **)&found));
        CHECK(found == (bound[stage] < 0 ? NULL : lives[bound[stage]].texture), "stage %d has another texture", stage);
        if (found)
            lives[bound[stage]].references++;
        break;
    }
    }
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    int i;

    device = make_device(d3d);
    for (i = 0; i < STAGES; i++)
        bound[i] = -1;
    for (i = 0; i < STEPS && failures < 20; i++) {
        step();
        if (i % 16 == 0) {
            ULONG count = IDirect3DDevice9_AddRef(device) - 1;
            IDirect3DDevice9_Release(device);
            CHECK(count == 1 + children(), "step %d: the device has %u references, not %u", i, count, 1 + children());
        }
        if (i % 1000 == 0)
            OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    }
    for (i = 0; i < OBJECTS; i++) {
        for (; lives[i].levels; lives[i].levels--, lives[i].references--)
            IDirect3DSurface9_Release(lives[i].level);
        for (; lives[i].references; lives[i].references--)
            IDirect3DTexture9_Release(lives[i].texture);
    }
    /* What is still bound goes with the device. */
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("lifetimes");
}
