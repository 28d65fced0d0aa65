/* Lifetimes: reference counts, identity, children that keep the device, private data. */
#include "common.h"

static IDirect3DDevice9 *device;

static ULONG count(void *object)
{
    IUnknown *unknown = object;
    IUnknown_AddRef(unknown);
    return IUnknown_Release(unknown);
}

#define COUNT(object, expected) \
    do { \
        ULONG n_ = count(object); \
        CHECK(n_ == (expected), #object " has %u references, not %u", n_, (unsigned)(expected)); \
    } while (0)

#define RELEASE(object, expected) \
    do { \
        ULONG n_ = IUnknown_Release((IUnknown *)(object)); \
        CHECK(n_ == (expected), "releasing " #object " leaves %u references, not %u", n_, (unsigned)(expected)); \
    } while (0)

/* An IUnknown of the program's own, to be stored as private data. */
struct counted {
    const IUnknownVtbl *lpVtbl;
    ULONG references;
};

static HRESULT counted_query(IUnknown *self, REFIID iid, void **out)
{
    (void)self;
    (void)iid;
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG counted_add(IUnknown *self)
{
    return ++((struct counted *)self)->references;
}

static ULONG counted_release(IUnknown *self)
{
    return --((struct counted *)self)->references;
}

static const IUnknownVtbl counted_table = { counted_query, counted_add, counted_release };

/* The device's own surfaces and swap chain: no references until asked for, the same objects always. */
static void implicit(IDirect3D9 *d3d)
{
    IDirect3DSurface9 *back = NULL, *again = NULL, *target = NULL, *depth = NULL;
    IDirect3DSwapChain9 *chain = NULL, *container = NULL;
    IDirect3D9 *parent = NULL;
    IDirect3DDevice9 *owner = NULL;

    COUNT(d3d, 2);
    COUNT(device, 1);
    OK(IDirect3DDevice9_GetDirect3D(device, &parent));
    CHECK(parent == d3d, "GetDirect3D gives another object");
    RELEASE(parent, 2);

    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    COUNT(back, 1);
    COUNT(device, 2);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &again));
    CHECK(again == back, "GetBackBuffer gives another object");
    COUNT(back, 2);
    COUNT(device, 2);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    CHECK(target == back, "the render target is not the back buffer");
    COUNT(back, 3);
    RELEASE(target, 2);
    RELEASE(again, 1);
    OK(IDirect3DSurface9_GetDevice(back, &owner));
    CHECK(owner == device, "GetDevice gives another device");
    COUNT(device, 3);
    RELEASE(owner, 2);

    OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
    COUNT(chain, 1);
    COUNT(device, 3);
    OK(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DSwapChain9, (void **)&container));
    CHECK(container == chain, "the back buffer is of another swap chain");
    RELEASE(container, 1);
    again = NULL;
    OK(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &again));
    CHECK(again == back, "the swap chain gives another back buffer");
    RELEASE(again, 1);
    RELEASE(chain, 0);
    COUNT(device, 2);

    /* Nothing is destroyed, and a release too many does nothing. */
    RELEASE(back, 0);
    COUNT(device, 1);
    RELEASE(back, 0);
    COUNT(device, 1);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &again));
    CHECK(again == back, "the back buffer is another object after its last release");
    RELEASE(again, 0);

    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    COUNT(depth, 1);
    COUNT(device, 2);
    RELEASE(depth, 0);
    COUNT(device, 1);
}

/* Levels share the texture's references; each object is one more on the device. */
static void textures(void)
{
    IDirect3DTexture9 *texture = NULL, *found = NULL, *container = NULL;
    IDirect3DSurface9 *level = NULL, *second = NULL, *again = NULL;
    IDirect3DDevice9 *owner = NULL;
    IUnknown *a = NULL, *b = NULL;
    void *nothing = (void *)1;

    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    COUNT(texture, 1);
    COUNT(device, 2);
    CHECK(IDirect3DTexture9_GetLevelCount(texture) == 4, "8 x 8 has 4 levels");
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    COUNT(texture, 2);
    COUNT(level, 2);
    COUNT(device, 2);
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &second));
    CHECK(second != level, "two levels are one object");
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &again));
    CHECK(again == level, "one level is two objects");
    COUNT(texture, 4);
    RELEASE(again, 3);
    RELEASE(second, 2);

    OK(IDirect3DSurface9_GetContainer(level, &IID_IDirect3DTexture9, (void **)&container));
    CHECK(container == texture, "GetContainer gives another texture");
    RELEASE(container, 2);
    HR(E_NOINTERFACE, IDirect3DSurface9_GetContainer(level, &IID_IDirect3DDevice9, &nothing));
    CHECK(nothing == NULL, "a failed GetContainer leaves a pointer");

    /* Identity: IUnknown is the same from everywhere. */
    OK(IDirect3DTexture9_QueryInterface(texture, &IID_IUnknown, (void **)&a));
    OK(IDirect3DTexture9_QueryInterface(texture, &IID_IDirect3DResource9, (void **)&b));
    CHECK(a == b, "IUnknown and IDirect3DResource9 differ");
    RELEASE(a, 3);
    RELEASE(b, 2);
    nothing = (void *)1;
    HR(E_NOINTERFACE, IDirect3DTexture9_QueryInterface(texture, &IID_IDirect3DSurface9, &nothing));
    CHECK(nothing == NULL, "a failed QueryInterface leaves a pointer");
    OURS(HR(E_POINTER, IDirect3DTexture9_QueryInterface(texture, &IID_IUnknown, NULL)));

    /* Bound without references: the device's own do not count, and the object is found again. */
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    COUNT(texture, 2);
    RELEASE(level, 1);
    RELEASE(texture, 0);
    COUNT(device, 1);
    OK(IDirect3DDevice9_GetTexture(device, 0, (IDirect3DBaseTexture9 **)&found));
    CHECK(found == texture, "GetTexture gives another object");
    COUNT(found, 1);
    COUNT(device, 2);
    OK(IDirect3DTexture9_GetDevice(found, &owner));
    CHECK(owner == device, "GetDevice gives another device");
    RELEASE(owner, 2);
    RELEASE(found, 0);
    COUNT(device, 1);
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
}

/* Every other kind of child. */
static void others(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        { 0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0 }, D3DDECL_END()
    };
    static const DWORD ps[] = { 0xFFFF0101, 0x00000001, 0x800F0000, 0x90E40000, 0x0000FFFF };
    IUnknown *objects[12] = { NULL };
    D3DPRESENT_PARAMETERS parameters = windowed();
    unsigned n = 0, i;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, (IDirect3DVertexBuffer9 **)&objects[n++], NULL));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, 64, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, (IDirect3DIndexBuffer9 **)&objects[n++], NULL));
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, (IDirect3DVertexDeclaration9 **)&objects[n++]));
    OK(IDirect3DDevice9_CreatePixelShader(device, ps, (IDirect3DPixelShader9 **)&objects[n++]));
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, (IDirect3DStateBlock9 **)&objects[n++]));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_EVENT, (IDirect3DQuery9 **)&objects[n++]));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, (IDirect3DSurface9 **)&objects[n++], NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, (IDirect3DSurface9 **)&objects[n++], NULL));
    OK(IDirect3DDevice9_CreateCubeTexture(device, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, (IDirect3DCubeTexture9 **)&objects[n++], NULL));
    OK(IDirect3DDevice9_CreateVolumeTexture(device, 8, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, (IDirect3DVolumeTexture9 **)&objects[n++], NULL));
    OK(IDirect3DDevice9_CreateAdditionalSwapChain(device, &parameters, (IDirect3DSwapChain9 **)&objects[n++]));
    COUNT(device, 1 + n);

    /* Bound, they lose nothing and gain nothing. */
    OK(IDirect3DDevice9_SetStreamSource(device, 0, (IDirect3DVertexBuffer9 *)objects[0], 0, 12));
    OK(IDirect3DDevice9_SetIndices(device, (IDirect3DIndexBuffer9 *)objects[1]));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, (IDirect3DVertexDeclaration9 *)objects[2]));
    OK(IDirect3DDevice9_SetPixelShader(device, (IDirect3DPixelShader9 *)objects[3]));
    for (i = 0; i < n; i++) {
        CHECK(count(objects[i]) == 1, "object %u has %u references", i, count(objects[i]));
        CHECK(IUnknown_Release(objects[i]) == 0, "object %u is still referenced", i);
    }
    COUNT(device, 1);

    /* Found again, with one reference, by what they are bound to. */
    {
        IDirect3DVertexBuffer9 *buffer = NULL;
        IDirect3DIndexBuffer9 *indices = NULL;
        UINT offset, stride;
        OK(IDirect3DDevice9_GetStreamSource(device, 0, &buffer, &offset, &stride));
        CHECK((IUnknown *)buffer == objects[0] && stride == 12, "GetStreamSource");
        RELEASE(buffer, 0);
        OK(IDirect3DDevice9_GetIndices(device, &indices));
        CHECK((IUnknown *)indices == objects[1], "GetIndices");
        RELEASE(indices, 0);
    }
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_SetIndices(device, NULL));
    OK(IDirect3DDevice9_SetPixelShader(device, NULL));
}

static void private_data(void)
{
    static const GUID one = { 1, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } }, two = { 2, 2, 3, { 4 } };
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *level = NULL;
    struct counted mine = { &counted_table, 1 }, other = { &counted_table, 1 };
    char text[16] = "";
    IUnknown *found = NULL;
    DWORD size = sizeof text;

    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    HR(D3DERR_NOTFOUND, IDirect3DTexture9_GetPrivateData(texture, &one, text, &size));
    HR(D3DERR_NOTFOUND, IDirect3DTexture9_FreePrivateData(texture, &one));
    OK(IDirect3DTexture9_SetPrivateData(texture, &one, "hello", 6, 0));
    size = 2;
    HR(D3DERR_MOREDATA, IDirect3DTexture9_GetPrivateData(texture, &one, text, &size));
    CHECK(size == 6, "MOREDATA says %u bytes", size);
    size = 0;
    OK(IDirect3DTexture9_GetPrivateData(texture, &one, NULL, &size));
    CHECK(size == 6, "the size is %u bytes", size);
    OK(IDirect3DTexture9_GetPrivateData(texture, &one, text, &size));
    CHECK(strcmp(text, "hello") == 0, "the data is '%s'", text);
    /* The level has data of its own, though it shares references. */
    HR(D3DERR_NOTFOUND, IDirect3DSurface9_GetPrivateData(level, &one, text, &size));

    /* Interfaces are referenced while stored, and by each Get. */
    INVALID(IDirect3DSurface9_SetPrivateData(level, &two, &mine, 4, D3DSPD_IUNKNOWN));
    CHECK(mine.references == 1, "a refused interface was referenced");
    OK(IDirect3DSurface9_SetPrivateData(level, &two, &mine, sizeof(IUnknown *), D3DSPD_IUNKNOWN));
    CHECK(mine.references == 2, "stored: %u references", mine.references);
    OK(IDirect3DSurface9_SetPrivateData(level, &two, &mine, sizeof(IUnknown *), D3DSPD_IUNKNOWN));
    CHECK(mine.references == 2, "stored again: %u references", mine.references);
    size = sizeof found;
    OK(IDirect3DSurface9_GetPrivateData(level, &two, &found, &size));
    CHECK(found == (IUnknown *)&mine && mine.references == 3, "got: %u references", mine.references);
    IUnknown_Release(found);
    OK(IDirect3DSurface9_SetPrivateData(level, &two, &other, sizeof(IUnknown *), D3DSPD_IUNKNOWN));
    CHECK(mine.references == 1 && other.references == 2, "replaced: %u and %u references", mine.references,
          other.references);
    OK(IDirect3DSurface9_FreePrivateData(level, &two));
    CHECK(other.references == 1, "freed: %u references", other.references);

    /* An object that goes releases what it stores, a level with its texture. */
    OK(IDirect3DSurface9_SetPrivateData(level, &two, &mine, sizeof(IUnknown *), D3DSPD_IUNKNOWN));
    OK(IDirect3DTexture9_SetPrivateData(texture, &two, &other, sizeof(IUnknown *), D3DSPD_IUNKNOWN));
    RELEASE(level, 1);
    CHECK(mine.references == 2, "the level lives: %u references", mine.references);
    RELEASE(texture, 0);
    CHECK(mine.references == 1 && other.references == 1, "destroyed: %u and %u references", mine.references,
          other.references);

    /* The device itself as data: a reference like any other. */
    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    COUNT(device, 2);
    OK(IDirect3DTexture9_SetPrivateData(texture, &one, device, sizeof(IUnknown *), D3DSPD_IUNKNOWN));
    COUNT(device, 3);
    RELEASE(texture, 0);
    COUNT(device, 1);
}

/* Pointers that a lock gave stay good after the unlock, until the object goes. */
static void memory(void)
{
    IDirect3DTexture9 *texture = NULL;
    IDirect3DVertexBuffer9 *buffer = NULL;
    IDirect3DSurface9 *copy = NULL, *target = NULL;
    D3DLOCKED_RECT first, second;
    DWORD *texels;
    float *vertices;
    void *again;

    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &first, NULL, 0));
    texels = first.pBits;
    texels[3] = 0x12345678;
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    CHECK(texels[3] == 0x12345678, "the texels are unreadable after the unlock");
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_EvictManagedResources(device));
    texels[4] = 0x9ABCDEF0;
    OK(IDirect3DTexture9_LockRect(texture, 0, &second, NULL, 0));
    CHECK(second.pBits == texels && texels[4] == 0x9ABCDEF0, "the texels moved");
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    RELEASE(texture, 0);

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 256, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&vertices, D3DLOCK_DISCARD));
    vertices[5] = 5;
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    CHECK(vertices[5] == 5, "the vertices are unreadable after the unlock");
    OK(IDirect3DVertexBuffer9_Lock(buffer, 16, 32, &again, D3DLOCK_NOOVERWRITE));
    CHECK((char *)again == (char *)vertices + 16, "the vertices moved");
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    RELEASE(buffer, 0);

    /* GetRenderTargetData writes where the program already looks. */
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DSurface9_LockRect(copy, &first, NULL, 0));
    texels = first.pBits;
    OK(IDirect3DSurface9_UnlockRect(copy));
    clear(device, 0xFF00AA55);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OURS(CHECK((texels[7] & 0xFFFFFF) == 0x00AA55, "GetRenderTargetData wrote elsewhere: %08x", texels[7]));
    RELEASE(target, 0);
    RELEASE(copy, 0);
}

/* The last reference on the device may be a child's. */
static void children_last(IDirect3D9 *d3d)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    IDirect3DDevice9 *back = NULL;
    void *bits = NULL;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    RELEASE(device, 1);
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &bits, 0));
    memset(bits, 7, 64);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DVertexBuffer9_GetDevice(buffer, &back));
    CHECK(back == device, "GetDevice gives another device");
    RELEASE(back, 1);
    COUNT(d3d, 2);
    RELEASE(buffer, 0);
    COUNT(d3d, 1);
}

/* Many objects, bound and let go in turn: nothing is found under a wrong name. */
static void churn(void)
{
    IDirect3DTexture9 *bound = NULL;
    int i;
    for (i = 0; i < 2000; i++) {
        IDirect3DTexture9 *texture = NULL, *found = NULL;
        OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
        OK(IDirect3DDevice9_GetTexture(device, 2, (IDirect3DBaseTexture9 **)&found));
        CHECK(found == bound, "round %d: another texture is bound", i);
        if (found)
            IDirect3DTexture9_Release(found);
        OK(IDirect3DDevice9_SetTexture(device, 2, (IDirect3DBaseTexture9 *)texture));
        IDirect3DTexture9_Release(texture);
        bound = texture;
    }
    OK(IDirect3DDevice9_SetTexture(device, 2, NULL));
    COUNT(device, 1);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    COUNT(d3d, 1);
    device = make_device(d3d);
    implicit(d3d);
    textures();
    others();
    private_data();
    memory();
    churn();
    children_last(d3d);
    RELEASE(d3d, 0);
    return finish("references");
}
