/* Presents to a window of SDL 2, which is looked up at run time: no headers of it are needed.
 * argv[1] is the library. The window is titled "ninefold sdl2"; a line is read before the end. */
#include "../common.h"
#include <dlfcn.h>
#include <stdint.h>

#define SDL(type, name, ...) type (*name)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(library, "SDL_" #name)

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    char line[16];
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    SDL(int, Init, uint32_t);
    SDL(void *, CreateWindow, const char *, int, int, int, int, uint32_t);
    SDL(void, DestroyWindow, void *);
    SDL(void, Quit, void);
    SDL(void, PumpEvents, void);
    if (Init(0x20)) /* SDL_INIT_VIDEO */
        return 2;
    void *window = CreateWindow("ninefold sdl2", 0, 0, 256, 128, 0);
    if (!window)
        return 2;
    PumpEvents();

    IDirect3D9 *d3d = make_d3d();
    IDirect3DDevice9 *device = NULL;
    D3DPRESENT_PARAMETERS p = windowed();
    int not_a_window[64] = {0};
    p.BackBufferWidth = p.BackBufferHeight = 0;
    p.hDeviceWindow = (HWND)(void *)not_a_window;
    INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                    &p, &device));
    p.hDeviceWindow = (HWND)(uintptr_t)8;
    INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                    &p, &device));
    p.hDeviceWindow = NULL;
    OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, (HWND)window, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    if (!device)
        return 1;
    CHECK(p.BackBufferWidth == 256 && p.BackBufferHeight == 128, "the back buffer is %u x %u",
          p.BackBufferWidth, p.BackBufferHeight);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF204060, 1, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    printf("done\n");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return 4;

    /* The window goes before the device, and SDL with it. */
    DestroyWindow(window);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    Quit();
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    CHECK(!IDirect3DDevice9_Release(device), "the device lives on");
    CHECK(!IDirect3D9_Release(d3d), "Direct3D lives on");
    return finish("sdl2");
}
