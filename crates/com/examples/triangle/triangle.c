/* A triangle that turns, sixty frames of it, in plain C over Direct3D 9.
 *
 *   NINEFOLD_FRAME_DIR=frames ./triangle       a PNG of each frame
 *   NINEFOLD_TRACE=triangle.trace ./triangle   a capture for `ninefold replay` and apitrace
 */
#include <d3d9.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vertex {
    float x, y, z;
    DWORD color;
};

int main(int argc, char **argv)
{
    static const struct vertex triangle[3] = {
        { 0.0f, 0.8f, 0.5f, 0xFFFF4040 },
        { 0.7f, -0.4f, 0.5f, 0xFF40FF40 },
        { -0.7f, -0.4f, 0.5f, 0xFF4040FF },
    };
    int frames = argc > 1 ? atoi(argv[1]) : 60;
    int frame;
    D3DPRESENT_PARAMETERS parameters = { 0 };
    IDirect3DDevice9 *device = NULL;
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);

    if (!d3d)
        return 3;
    parameters.BackBufferWidth = 320;
    parameters.BackBufferHeight = 240;
    parameters.BackBufferFormat = D3DFMT_X8R8G8B8;
    parameters.SwapEffect = D3DSWAPEFFECT_DISCARD;
    parameters.Windowed = TRUE;
    if (FAILED(IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, NULL,
                                       D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &device))) {
        fprintf(stderr, "CreateDevice failed\n");
        IDirect3D9_Release(d3d);
        return 1;
    }

    IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    for (frame = 0; frame < frames; frame++) {
        float angle = (float)frame * 6.2831853f / 60;
        D3DMATRIX turn = { { {
            cosf(angle) * 0.75f, sinf(angle), 0, 0,
            -sinf(angle) * 0.75f, cosf(angle), 0, 0,
            0, 0, 1, 0,
            0, 0, 0, 1,
        } } };
        IDirect3DDevice9_SetTransform(device, D3DTS_WORLD, &turn);
        IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF202830, 1, 0);
        IDirect3DDevice9_BeginScene(device);
        IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof triangle[0]);
        IDirect3DDevice9_EndScene(device);
        IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
    }

    IDirect3DDevice9_Release(device);
    IDirect3D9_Release(d3d);
    return 0;
}
