// Volume and cube textures, and the C++ side of the interfaces: classes, references, operator==.
#include "common.h"

namespace {

struct Vertex {
    float x, y, z, rhw;
    float u, v, w;
};

IDirect3DDevice9 *device;

DWORD read(int x, int y)
{
    IDirect3DSurface9 *back = nullptr, *copy = nullptr;
    D3DLOCKED_RECT locked;
    OK(device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(device->CreateOffscreenPlainSurface(EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, nullptr));
    OK(device->GetRenderTargetData(back, copy));
    OK(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY));
    DWORD value = *reinterpret_cast<DWORD *>(static_cast<char *>(locked.pBits) + y * locked.Pitch + x * 4);
    OK(copy->UnlockRect());
    copy->Release();
    back->Release();
    return value & 0xFFFFFF;
}

void expect(int x, int y, DWORD want, const char *what)
{
    DWORD got = read(x, y);
    for (int shift = 0; shift < 24; shift += 8) {
        int off = abs(static_cast<int>(got >> shift & 0xFF) - static_cast<int>(want >> shift & 0xFF));
        CHECK(off <= 1, "%s: pixel (%d, %d) is %06x, not %06x", what, x, y, got, want);
    }
}

// The whole target with these coordinates at its four corners.
void draw(const float corners[4][3])
{
    Vertex quad[4];
    for (int i = 0; i < 4; i++)
        quad[i] = { (i & 1) * EDGE - 0.5f, (i >> 1) * EDGE - 0.5f, 0.5f, 1,
                    corners[i][0], corners[i][1], corners[i][2] };
    OK(device->Clear(0, nullptr, D3DCLEAR_TARGET, 0xFF123456, 1, 0));
    OK(device->BeginScene());
    OK(device->SetFVF(D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
    OK(device->DrawPrimitiveUP(D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]));
    OK(device->EndScene());
}

void draw_at(float u, float v, float w)
{
    const float corners[4][3] = { { u, v, w }, { u, v, w }, { u, v, w }, { u, v, w } };
    draw(corners);
}

// Slices red and blue, and black and white along x in the smaller level.
void volume()
{
    IDirect3DVolumeTexture9 *texture = nullptr;
    D3DLOCKED_BOX locked;
    D3DVOLUME_DESC desc;

    OK(device->CreateVolumeTexture(4, 4, 2, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, nullptr));
    CHECK(texture->GetLevelCount() == 2, "%u levels", texture->GetLevelCount());
    CHECK(texture->GetType() == D3DRTYPE_VOLUMETEXTURE, "GetType");
    OK(texture->GetLevelDesc(1, &desc));
    CHECK(desc.Width == 2 && desc.Height == 2 && desc.Depth == 1 && desc.Type == D3DRTYPE_VOLUME,
          "level 1 is %u x %u x %u", desc.Width, desc.Height, desc.Depth);
    INVALID(texture->GetLevelDesc(2, &desc));

    OK(texture->LockBox(0, &locked, nullptr, 0));
    CHECK(locked.RowPitch >= 16 && locked.SlicePitch >= 4 * locked.RowPitch, "pitches %d and %d",
          locked.RowPitch, locked.SlicePitch);
    D3DLOCKED_BOX again = { 1, 1, &desc };
    INVALID(texture->LockBox(0, &again, nullptr, 0));
    CHECK(!again.pBits, "a lock that fails leaves a pointer");
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                reinterpret_cast<DWORD *>(static_cast<char *>(locked.pBits) + z * locked.SlicePitch +
                                          y * locked.RowPitch)[x] = z ? 0xFF0000FF : 0xFFFF0000;
    OK(texture->UnlockBox(0));
    INVALID(texture->UnlockBox(0));

    // A part of a level: one texel, green.
    D3DBOX part = { 3, 3, 4, 4, 1, 2 };
    OK(texture->LockBox(0, &locked, &part, 0));
    *static_cast<DWORD *>(locked.pBits) = 0xFF00FF00;
    OK(texture->UnlockBox(0));
    OK(texture->LockBox(1, &locked, nullptr, 0));
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            reinterpret_cast<DWORD *>(static_cast<char *>(locked.pBits) + y * locked.RowPitch)[x] =
                x ? 0xFFFFFFFF : 0xFF000000;
    OK(texture->UnlockBox(1));

    OK(device->SetTexture(0, texture));
    draw_at(0.1f, 0.1f, 0.25f);
    expect(32, 32, 0xFF0000, "volume, first slice");
    draw_at(0.1f, 0.1f, 0.75f);
    expect(32, 32, 0x0000FF, "volume, second slice");
    draw_at(0.9f, 0.9f, 0.75f);
    expect(32, 32, 0x00FF00, "volume, one texel");
    draw_at(0.9f, 0.9f, 0.25f);
    expect(32, 32, 0xFF0000, "volume, the texel in front of it");

    // Half way between the slices' centres: half of each.
    OK(device->SetSamplerState(0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR));
    OK(device->SetSamplerState(0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    draw_at(0.25f, 0.25f, 0.5f);
    expect(32, 32, 0x800080, "volume, filtered between slices");
    OK(device->SetSamplerState(0, D3DSAMP_MINFILTER, D3DTEXF_POINT));
    OK(device->SetSamplerState(0, D3DSAMP_MAGFILTER, D3DTEXF_POINT));

    // Outside, clamped: the last slice.
    OK(device->SetSamplerState(0, D3DSAMP_ADDRESSW, D3DTADDRESS_CLAMP));
    draw_at(0.1f, 0.1f, 1.75f);
    expect(32, 32, 0x0000FF, "volume, clamped");
    OK(device->SetSamplerState(0, D3DSAMP_ADDRESSW, D3DTADDRESS_WRAP));
    draw_at(0.1f, 0.1f, 1.25f);
    expect(32, 32, 0xFF0000, "volume, wrapped");

    // The smaller level, asked for by D3DSAMP_MAXMIPLEVEL.
    OK(device->SetSamplerState(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    OK(device->SetSamplerState(0, D3DSAMP_MAXMIPLEVEL, 1));
    draw_at(0.75f, 0.25f, 0.5f);
    expect(32, 32, 0xFFFFFF, "volume, level 1");
    OK(device->SetSamplerState(0, D3DSAMP_MAXMIPLEVEL, 0));
    OK(device->SetSamplerState(0, D3DSAMP_MIPFILTER, D3DTEXF_NONE));

    // A level as an object: its references are the texture's.
    IDirect3DVolume9 *level = nullptr;
    IDirect3DVolumeTexture9 *container = nullptr;
    OK(texture->GetVolumeLevel(0, &level));
    CHECK(level->AddRef() == 3 && level->Release() == 2, "a volume counts its texture's references");
    OK(level->GetContainer(IID_IDirect3DVolumeTexture9, reinterpret_cast<void **>(&container)));
    CHECK(container == texture, "GetContainer gives another texture");
    container->Release();
    HR(E_NOINTERFACE, level->GetContainer(IID_IDirect3DTexture9, reinterpret_cast<void **>(&container)));
    CHECK(level->Release() == 1, "the volume is still referenced");
    OK(device->SetTexture(0, nullptr));
    CHECK(texture->Release() == 0, "the volume texture is still referenced");
}

// Each face a colour of its own; directions along the axes find them.
void cube()
{
    static const DWORD colors[6] = { 0xFFFF0000, 0xFF00FFFF, 0xFF00FF00, 0xFFFF00FF, 0xFF0000FF, 0xFFFFFF00 };
    static const float axes[6][3] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 },
                                      { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
    IDirect3DCubeTexture9 *texture = nullptr;
    D3DLOCKED_RECT locked;
    D3DSURFACE_DESC desc;

    OK(device->CreateCubeTexture(4, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture, nullptr));
    CHECK(texture->GetType() == D3DRTYPE_CUBETEXTURE, "GetType");
    OK(texture->GetLevelDesc(0, &desc));
    CHECK(desc.Width == 4 && desc.Height == 4 && desc.Format == D3DFMT_X8R8G8B8, "GetLevelDesc");
    for (int face = 0; face < 6; face++) {
        OK(texture->LockRect(static_cast<D3DCUBEMAP_FACES>(face), 0, &locked, nullptr, 0));
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                reinterpret_cast<DWORD *>(static_cast<char *>(locked.pBits) + y * locked.Pitch)[x] = colors[face];
        OK(texture->UnlockRect(static_cast<D3DCUBEMAP_FACES>(face), 0));
    }
    OURS(INVALID(texture->LockRect(static_cast<D3DCUBEMAP_FACES>(6), 0, &locked, nullptr, 0)));
    OURS(INVALID(texture->LockRect(D3DCUBEMAP_FACE_POSITIVE_X, 1, &locked, nullptr, 0)));

    OK(device->SetTexture(0, texture));
    for (int face = 0; face < 6; face++) {
        char what[32];
        snprintf(what, sizeof what, "cube, face %d", face);
        draw_at(axes[face][0], axes[face][1], axes[face][2]);
        expect(32, 32, colors[face] & 0xFFFFFF, what);
    }

    // On +x, u runs along -z and v along -y: its left half is +z's side, its top +y's side.
    IDirect3DSurface9 *surface = nullptr;
    OK(texture->GetCubeMapSurface(D3DCUBEMAP_FACE_POSITIVE_X, 0, &surface));
    OK(surface->LockRect(&locked, nullptr, 0));
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            reinterpret_cast<DWORD *>(static_cast<char *>(locked.pBits) + y * locked.Pitch)[x] =
                0xFF000000 | static_cast<DWORD>(x * 0x40) << 16 | static_cast<DWORD>(y * 0x40) << 8;
    OK(surface->UnlockRect());
    draw_at(1, 0.9f, 0.9f);
    expect(32, 32, 0x000000, "+x at +y and +z is texel (0, 0)");
    draw_at(1, 0.9f, -0.9f);
    expect(32, 32, 0xC00000, "+x at +y and -z is texel (3, 0)");
    draw_at(1, -0.9f, 0.9f);
    expect(32, 32, 0x00C000, "+x at -y and +z is texel (0, 3)");

    // The same object under every name.
    IUnknown *a = nullptr, *b = nullptr;
    IDirect3DBaseTexture9 *base = nullptr;
    IDirect3DTexture9 *wrong = reinterpret_cast<IDirect3DTexture9 *>(1);
    OK(texture->QueryInterface(IID_IUnknown, reinterpret_cast<void **>(&a)));
    OK(texture->QueryInterface(IID_IDirect3DBaseTexture9, reinterpret_cast<void **>(&base)));
    OK(base->QueryInterface(IID_IUnknown, reinterpret_cast<void **>(&b)));
    CHECK(a == b, "IUnknown differs");
    HR(E_NOINTERFACE, texture->QueryInterface(IID_IDirect3DTexture9, reinterpret_cast<void **>(&wrong)));
    CHECK(wrong == nullptr, "a failed QueryInterface leaves a pointer");
    a->Release();
    b->Release();
    base->Release();

    IDirect3DCubeTexture9 *container = nullptr;
    OK(surface->GetContainer(IID_IDirect3DCubeTexture9, reinterpret_cast<void **>(&container)));
    CHECK(container == texture, "GetContainer gives another texture");
    container->Release();
    surface->Release();
    OK(device->SetTexture(0, nullptr));
    CHECK(texture->Release() == 0, "the cube texture is still referenced");
}

// A cube map drawn into, face by face, and looked up.
void into_cube()
{
    IDirect3DCubeTexture9 *texture = nullptr;
    IDirect3DSurface9 *back = nullptr;
    static const DWORD colors[6] = { 0x101010, 0x303030, 0x505050, 0x707070, 0x909090, 0xB0B0B0 };

    OK(device->CreateCubeTexture(16, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture,
                                 nullptr));
    OK(device->GetRenderTarget(0, &back));
    OK(device->SetDepthStencilSurface(nullptr));
    for (int face = 0; face < 6; face++) {
        IDirect3DSurface9 *surface = nullptr;
        OK(texture->GetCubeMapSurface(static_cast<D3DCUBEMAP_FACES>(face), 0, &surface));
        OK(device->SetRenderTarget(0, surface));
        OK(device->Clear(0, nullptr, D3DCLEAR_TARGET, 0xFF000000 | colors[face], 1, 0));
        surface->Release();
    }
    OK(device->SetRenderTarget(0, back));
    back->Release();
    OK(device->SetTexture(0, texture));
    draw_at(0, 1, 0);
    expect(32, 32, colors[2], "drawn cube, +y");
    draw_at(0, 0, -1);
    expect(32, 32, colors[5], "drawn cube, -z");
    OK(device->SetTexture(0, nullptr));
    CHECK(texture->Release() == 0, "the cube texture is still referenced");
}

} // namespace

int main()
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!d3d) {
        printf("Direct3DCreate9 gave null\n");
        return 3;
    }
    D3DADAPTER_IDENTIFIER9 identifier;
    OK(d3d->GetAdapterIdentifier(0, 0, &identifier));
    fprintf(stderr, "adapter: %s\n", identifier.Description);

    D3DPRESENT_PARAMETERS parameters = {};
    parameters.BackBufferWidth = parameters.BackBufferHeight = EDGE;
    parameters.BackBufferFormat = D3DFMT_A8R8G8B8;
    parameters.SwapEffect = D3DSWAPEFFECT_DISCARD;
    parameters.hDeviceWindow = window();
    parameters.Windowed = TRUE;
    OK(d3d->CreateDevice(D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, nullptr, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                         &parameters, &device));
    if (!device)
        return finish("volume_cube");
    OK(device->SetTextureStageState(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    volume();
    cube();
    into_cube();
    CHECK(device->Release() == 0, "the device is still referenced");
    CHECK(d3d->Release() == 0, "IDirect3D9 is still referenced");
    return finish("volume_cube");
}
