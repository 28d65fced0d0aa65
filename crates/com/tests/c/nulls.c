/* Every method of every interface with nothing but zeros, and without an object: each must come
 * back. Extra arguments do no harm in this calling convention. */
#include "common.h"

typedef uintptr_t (*method)(void *self, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                            uintptr_t, uintptr_t, uintptr_t);

static ULONG count(void *object)
{
    IUnknown *unknown = object;
    IUnknown_AddRef(unknown);
    return IUnknown_Release(unknown);
}

/* AddRef and Release are slots 1 and 2 of every vtable. */
static void all_zero(void *object, size_t table_size, const char *name)
{
    const method *table = *(const method **)object;
    size_t slots = table_size / sizeof(method), i;
    ULONG before = count(object);

    for (i = 0; i < slots; i++) {
        if (i == 1 || i == 2)
            continue;
        table[i](object, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        table[i](NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    CHECK(table[1](NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0) == 0, "%s: AddRef of nothing", name);
    CHECK(table[2](NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0) == 0, "%s: Release of nothing", name);
    CHECK(count(object) == before, "%s: %u references became %u", name, before, count(object));
}

#define ALL_ZERO(object, type) all_zero(object, sizeof(type##Vtbl), #type)

int main(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        { 0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0 }, D3DDECL_END()
    };
    static const DWORD vs[] = { 0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x00000001, 0xC00F0000, 0x90E40000, 0x0000FFFF };
    static const DWORD ps[] = { 0xFFFF0101, 0x00000001, 0x800F0000, 0x90E40000, 0x0000FFFF };
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3D9Ex *d3d = NULL;
    IDirect3DDevice9Ex *device = NULL;
    IDirect3DTexture9 *texture = NULL;
    IDirect3DCubeTexture9 *cube = NULL;
    IDirect3DVolumeTexture9 *volume_texture = NULL;
    IDirect3DSurface9 *surface = NULL, *level = NULL;
    IDirect3DVolume9 *volume = NULL;
    IDirect3DVertexBuffer9 *vertices = NULL;
    IDirect3DIndexBuffer9 *indices = NULL;
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexShader9 *vertex_shader = NULL;
    IDirect3DPixelShader9 *pixel_shader = NULL;
    IDirect3DStateBlock9 *block = NULL;
    IDirect3DQuery9 *query = NULL;
    IDirect3DSwapChain9 *chain = NULL;

    if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)))
        return 3;
    OK(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL, &device));
    if (!device)
        return finish("nulls");
    OK(IDirect3DDevice9Ex_CreateTexture(device, 8, 8, 0, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DDevice9Ex_CreateCubeTexture(device, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &cube, NULL));
    OK(IDirect3DDevice9Ex_CreateVolumeTexture(device, 8, 8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &volume_texture, NULL));
    OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &surface, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &level));
    OK(IDirect3DVolumeTexture9_GetVolumeLevel(volume_texture, 1, &volume));
    OK(IDirect3DDevice9Ex_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_DEFAULT, &vertices, NULL));
    OK(IDirect3DDevice9Ex_CreateIndexBuffer(device, 64, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, &indices, NULL));
    OK(IDirect3DDevice9Ex_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DDevice9Ex_CreateVertexShader(device, vs, &vertex_shader));
    OK(IDirect3DDevice9Ex_CreatePixelShader(device, ps, &pixel_shader));
    OK(IDirect3DDevice9Ex_CreateStateBlock(device, D3DSBT_ALL, &block));
    OK(IDirect3DDevice9Ex_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(IDirect3DDevice9Ex_CreateAdditionalSwapChain(device, &p, &chain));

    ALL_ZERO(d3d, IDirect3D9Ex);
    ALL_ZERO(texture, IDirect3DTexture9);
    ALL_ZERO(cube, IDirect3DCubeTexture9);
    ALL_ZERO(volume_texture, IDirect3DVolumeTexture9);
    ALL_ZERO(surface, IDirect3DSurface9);
    ALL_ZERO(level, IDirect3DSurface9);
    ALL_ZERO(volume, IDirect3DVolume9);
    ALL_ZERO(vertices, IDirect3DVertexBuffer9);
    ALL_ZERO(indices, IDirect3DIndexBuffer9);
    ALL_ZERO(declaration, IDirect3DVertexDeclaration9);
    ALL_ZERO(vertex_shader, IDirect3DVertexShader9);
    ALL_ZERO(pixel_shader, IDirect3DPixelShader9);
    ALL_ZERO(query, IDirect3DQuery9);
    ALL_ZERO(chain, IDirect3DSwapChain9Ex);
    ALL_ZERO(block, IDirect3DStateBlock9);
    ALL_ZERO(device, IDirect3DDevice9Ex);

    IDirect3DTexture9_Release(texture);
    CHECK(IDirect3DSurface9_Release(level) == 0, "the texture is still referenced");
    CHECK(IDirect3DCubeTexture9_Release(cube) == 0, "the cube texture is still referenced");
    IDirect3DVolumeTexture9_Release(volume_texture);
    CHECK(IDirect3DVolume9_Release(volume) == 0, "the volume texture is still referenced");
    IDirect3DSurface9_Release(surface);
    IDirect3DVertexBuffer9_Release(vertices);
    IDirect3DIndexBuffer9_Release(indices);
    IDirect3DVertexDeclaration9_Release(declaration);
    IDirect3DVertexShader9_Release(vertex_shader);
    IDirect3DPixelShader9_Release(pixel_shader);
    IDirect3DStateBlock9_Release(block);
    IDirect3DQuery9_Release(query);
    IDirect3DSwapChain9_Release(chain);
    CHECK(IDirect3DDevice9Ex_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9Ex_Release(d3d) == 0, "IDirect3D9Ex is still referenced");
    return finish("nulls");
}
