/* One device, several threads: objects made, bound, locked and let go at once. */
#include "common.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 400 };

static IDirect3DDevice9 *device;
static int wrong[THREADS];

static void *work(void *argument)
{
    int number = *(int *)argument, i;
    DWORD sampler = (DWORD)number;

    for (i = 0; i < ROUNDS; i++) {
        DWORD texel = 0xFF000000 | (DWORD)(number << 16 | i);
        IDirect3DTexture9 *texture = NULL, *found = NULL;
        IDirect3DSurface9 *level = NULL;
        D3DLOCKED_RECT locked;
        if (FAILED(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL))) {
            wrong[number]++;
            continue;
        }
        IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0);
        *(DWORD *)locked.pBits = texel;
        IDirect3DTexture9_UnlockRect(texture, 0);
        IDirect3DDevice9_SetTexture(device, sampler, (IDirect3DBaseTexture9 *)texture);
        IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level);
        IDirect3DTexture9_Release(texture);
        IDirect3DSurface9_Release(level);
        IDirect3DDevice9_GetTexture(device, sampler, (IDirect3DBaseTexture9 **)&found);
        if (found != texture) {
            wrong[number]++;
            continue;
        }
        IDirect3DTexture9_LockRect(found, 0, &locked, NULL, D3DLOCK_READONLY);
        wrong[number] += *(DWORD *)locked.pBits != texel;
        IDirect3DTexture9_UnlockRect(found, 0);
        IDirect3DTexture9_Release(found);
        if (i % 50 == 0)
            IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
    }
    IDirect3DDevice9_SetTexture(device, sampler, NULL);
    return NULL;
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    pthread_t threads[THREADS];
    int numbers[THREADS], i;

    device = make_device(d3d);
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(wrong[i] == 0, "thread %d: %d mistakes", i, wrong[i]);
    }
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("threads");
}
