/* The screen's beam: GetRasterStatus, WaitForVBlank; and how far a program may be ahead. */
#include "common.h"
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int main(void)
{
    enum { WAITS = 6, FRAMES = 40 };
    IDirect3D9Ex *d3d = NULL;
    IDirect3DDevice9Ex *device = NULL;
    D3DPRESENT_PARAMETERS p = windowed();
    D3DDISPLAYMODE mode;
    D3DRASTER_STATUS raster;
    UINT lines = 0, last = ~0u, blank = 0, latency = 0;
    double start;
    if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)))
        return 3;
    OK(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, window(), D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                   &p, NULL, &device));
    if (!device)
        return 1;
    OK(IDirect3DDevice9Ex_GetDisplayMode(device, 0, &mode));

    /* The beam passes every part of the screen, and is in no line while it goes back up. That takes
     * less than a millisecond of each frame, which a busy machine may miss for long. */
    start = now();
    while (now() - start < 100 || (!blank && now() - start < 20000)) {
        OK(IDirect3DDevice9Ex_GetRasterStatus(device, 0, &raster));
        CHECK(raster.ScanLine < mode.Height, "line %u of %u", raster.ScanLine, mode.Height);
        CHECK(!raster.InVBlank || !raster.ScanLine, "blank in line %u", raster.ScanLine);
        blank += raster.InVBlank != 0;
        lines += raster.ScanLine != last;
        last = raster.ScanLine;
    }
    CHECK(lines > 10, "the beam was in %u lines in 100 ms", lines);
    CHECK(blank > 0, "the beam never went back up");

#ifndef _WIN32 /* wined3d does not wait */
    /* Six waits last five whole frames and a part of one. */
    start = now();
    for (int n = 0; n < WAITS; n++)
        OK(IDirect3DDevice9Ex_WaitForVBlank(device, 0));
    CHECK(now() - start > (WAITS - 1) * 1000.0 / mode.RefreshRate - 2, "%d waits took %f ms", WAITS,
          now() - start);
    INVALID(IDirect3DDevice9Ex_WaitForVBlank(device, 1));
#endif

    for (UINT n = 1; n <= 3; n++) {
        OK(IDirect3DDevice9Ex_SetMaximumFrameLatency(device, n));
        OK(IDirect3DDevice9Ex_GetMaximumFrameLatency(device, &latency));
        CHECK(latency == n, "latency %u, not %u", latency, n);
        for (int frame = 0; frame < FRAMES; frame++) {
            OK(IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF000000 + frame, 1, 0));
            OK(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0));
        }
    }
    CHECK(!IDirect3DDevice9Ex_Release(device), "the device lives on");
    CHECK(!IDirect3D9Ex_Release(d3d), "Direct3D lives on");
    return finish("pacing");
}
