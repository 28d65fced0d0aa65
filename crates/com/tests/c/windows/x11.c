/* Presents to windows of X11 whose numbers are the arguments, step by step: a line "done N" after
 * each step, and a line is read before the next one, while the test looks at the screen. */
#include "../common.h"
#include <stdint.h>

static HWND number(const char *text)
{
    return (HWND)(uintptr_t)strtoul(text, NULL, 0);
}

static void step(int n)
{
    char line[16];
    printf("done %d\n", n);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        exit(4);
}

/* The left half red, the right half blue, and the upper left eighth green. */
static void draw(IDirect3DDevice9 *device, int width, int height)
{
    D3DRECT right = {width / 2, 0, width, height};
    D3DRECT corner = {0, 0, width / 8, height / 8};
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFFFF0000, 1, 0));
    OK(IDirect3DDevice9_Clear(device, 1, &right, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
    OK(IDirect3DDevice9_Clear(device, 1, &corner, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
}

int main(int argc, char **argv)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DDevice9 *device = NULL;
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSurface9 *buffer = NULL, *old = NULL;
    D3DPRESENT_PARAMETERS p = windowed();
    HWND first, second;
    if (argc < 3)
        return 2;
    first = number(argv[1]);
    second = number(argv[2]);

    /* What is no window is refused. */
    p.hDeviceWindow = (HWND)(uintptr_t)0x7FFFFFF0;
    INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                    &p, &device));
    CHECK(!device, "a device of no window");
    p.hDeviceWindow = (HWND)(uintptr_t)0x123456789ABCull;
    INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                    &p, &device));

    /* A back buffer without a size takes the window's. */
    p.hDeviceWindow = first;
    p.BackBufferWidth = p.BackBufferHeight = 0;
    p.SwapEffect = D3DSWAPEFFECT_COPY;
    p.EnableAutoDepthStencil = FALSE;
    OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                               &device));
    if (!device)
        return 1;
    CHECK(p.BackBufferWidth == 320 && p.BackBufferHeight == 240, "the back buffer is %u x %u",
          p.BackBufferWidth, p.BackBufferHeight);
    draw(device, 320, 240);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    step(1);

    /* The window has another size now: the back buffer is stretched to it. */
    draw(device, 320, 240);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    step(2);

    /* Another window, where there is none of the device's, and what is none. */
    OK(IDirect3DDevice9_Present(device, NULL, NULL, second, NULL));
    INVALID(IDirect3DDevice9_Present(device, NULL, NULL, (HWND)(uintptr_t)0x7FFFFFF0, NULL));
    step(3);

    /* Parts: the blue half into the window's lower right quarter. The rest stays. */
    {
        RECT source = {160, 0, 320, 240};
        RECT destination = {320, 240, 640, 480};
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFFFF00FF, 1, 0));
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        draw(device, 320, 240);
        OK(IDirect3DDevice9_Present(device, NULL, &destination, NULL, NULL));
        OK(IDirect3DDevice9_Present(device, &source, &destination, NULL, NULL));
    }
    step(4);

    /* A swap chain of its own for the second window. */
    p.hDeviceWindow = second;
    p.BackBufferWidth = p.BackBufferHeight = 0;
    p.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    OK(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    CHECK(p.BackBufferWidth == 200 && p.BackBufferHeight == 100, "the second back buffer is %u x %u",
          p.BackBufferWidth, p.BackBufferHeight);
    OK(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &buffer));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &old));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, buffer));
    draw(device, 200, 100);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, old));
    IDirect3DSurface9_Release(buffer);
    IDirect3DSurface9_Release(old);
    OK(IDirect3DSwapChain9_Present(chain, NULL, NULL, NULL, NULL, 0));
    step(5);
    IDirect3DSwapChain9_Release(chain);

    /* Reset to the window's size of now. */
    p.hDeviceWindow = NULL;
    p.BackBufferWidth = p.BackBufferHeight = 0;
    p.PresentationInterval = D3DPRESENT_INTERVAL_DEFAULT;
    OK(IDirect3DDevice9_Reset(device, &p));
    CHECK(p.BackBufferWidth == 640 && p.BackBufferHeight == 480, "after Reset the back buffer is %u x %u",
          p.BackBufferWidth, p.BackBufferHeight);
    draw(device, 640, 480);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    step(6);

    /* The first window is unmapped, then gone. Presenting goes on. */
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    step(7);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, second, NULL));
    step(8);

    CHECK(!IDirect3DDevice9_Release(device), "the device lives on");
    CHECK(!IDirect3D9_Release(d3d), "Direct3D lives on");
    return finish("x11");
}
