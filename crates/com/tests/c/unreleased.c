/* A program that ends without releasing anything, as many do. */
#include "common.h"

int main(void)
{
    IDirect3DDevice9 *device = make_device(make_d3d());
    clear(device, 0xFF405060);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    return finish("unreleased");
}
