/* What Direct3D 9 lets pass although it is odd: flags, codes and numbers that mean nothing. */
#include "common.h"

static const float corners[12] = { -1, 1, 0.5f, 1, 1, 0.5f, -1, -1, 0.5f, 1, -1, 0.5f };

static void flags_of_devices(IDirect3D9 *d3d)
{
    static const DWORD behaviors[] = { 0, D3DCREATE_FPU_PRESERVE, D3DCREATE_PUREDEVICE,
        D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING,
        D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE,
        D3DCREATE_MIXED_VERTEXPROCESSING | D3DCREATE_PUREDEVICE };
    static const DWORD intervals[] = { D3DPRESENT_INTERVAL_TWO, D3DPRESENT_INTERVAL_THREE, D3DPRESENT_INTERVAL_FOUR };
    UINT i;
    for (i = 0; i < sizeof behaviors / sizeof *behaviors; i++) {
        D3DPRESENT_PARAMETERS p = windowed();
        D3DDEVICE_CREATION_PARAMETERS how;
        IDirect3DDevice9 *device = NULL;
        OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, p.hDeviceWindow, behaviors[i], &p, &device));
        OK(IDirect3DDevice9_GetCreationParameters(device, &how));
        CHECK(how.BehaviorFlags == behaviors[i], "behavior %#x became %#x", (unsigned)behaviors[i],
              (unsigned)how.BehaviorFlags);
        OK(IDirect3DDevice9_SetSoftwareVertexProcessing(device, TRUE));
        CHECK(IDirect3DDevice9_GetSoftwareVertexProcessing(device) == TRUE, "told to process in software");
        OK(IDirect3DDevice9_SetSoftwareVertexProcessing(device, FALSE));
        CHECK(IDirect3DDevice9_GetSoftwareVertexProcessing(device) == FALSE, "told to process in hardware");
        IDirect3DDevice9_Release(device);
    }
    for (i = 0; i < 3; i++) {
        D3DPRESENT_PARAMETERS p = windowed();
        IDirect3DDevice9 *device = NULL;
        p.PresentationInterval = intervals[i];
        p.Flags = 0x1000 | D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL;
        OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, p.hDeviceWindow, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                   &device));
        CHECK(p.Flags == D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL && p.PresentationInterval == intervals[i],
              "flags %#x, interval %#x", (unsigned)p.Flags, p.PresentationInterval);
        p.hDeviceWindow = NULL;
        OK(IDirect3DDevice9_Reset(device, &p));
        CHECK(!p.hDeviceWindow, "Reset fills in a window");
        IDirect3DDevice9_Release(device);
    }
    for (i = D3DDEVTYPE_REF; i <= D3DDEVTYPE_NULLREF; i++) {
        D3DPRESENT_PARAMETERS p = windowed();
        D3DDEVICE_CREATION_PARAMETERS how;
        D3DCAPS9 caps;
        IDirect3DDevice9 *device = NULL;
        OK(IDirect3D9_GetDeviceCaps(d3d, 0, (D3DDEVTYPE)i, &caps));
        CHECK(caps.DeviceType == D3DDEVTYPE_REF, "caps of type %u", caps.DeviceType);
        OK(IDirect3D9_CheckDeviceFormat(d3d, 0, (D3DDEVTYPE)i, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8));
        OK(IDirect3D9_CreateDevice(d3d, 0, (D3DDEVTYPE)i, p.hDeviceWindow, D3DCREATE_SOFTWARE_VERTEXPROCESSING, &p,
                                   &device));
        OK(IDirect3DDevice9_GetCreationParameters(device, &how));
        CHECK(how.DeviceType == (D3DDEVTYPE)i, "a device of type %u", how.DeviceType);
        IDirect3DDevice9_Release(device);
    }
}

struct code {
    DWORD fvf;
    UINT count;
    D3DVERTEXELEMENT9 elements[4];
};

static void codes(IDirect3DDevice9 *device)
{
    static const struct code list[] = {
        { D3DFVF_XYZB2 | D3DFVF_LASTBETA_D3DCOLOR, 3, { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
            { 0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_BLENDWEIGHT, 0 },
            { 0, 16, D3DDECLTYPE_UBYTE4, 0, D3DDECLUSAGE_BLENDINDICES, 0 } } },
        { D3DFVF_XYZB3 | D3DFVF_LASTBETA_D3DCOLOR, 3, { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
            { 0, 12, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_BLENDWEIGHT, 0 },
            { 0, 20, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_BLENDINDICES, 0 } } },
        { 0x4000, 1, { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 } } },
        { 0x2000, 0, { { 0 } } },
    };
    IDirect3DVertexDeclaration9 *declaration, *again, *own;
    D3DVERTEXELEMENT9 elements[65];
    UINT i, count;
    DWORD fvf;

    for (i = 0; i < sizeof list / sizeof *list; i++) {
        OK(IDirect3DDevice9_SetFVF(device, list[i].fvf));
        OK(IDirect3DDevice9_GetVertexDeclaration(device, &declaration));
        count = sizeof elements / sizeof *elements;
        OK(IDirect3DVertexDeclaration9_GetDeclaration(declaration, elements, &count));
        CHECK(count == list[i].count + 1, "code %#x has %u elements", (unsigned)list[i].fvf, count);
        CHECK(!memcmp(elements, list[i].elements, list[i].count * sizeof *elements), "the elements of %#x",
              (unsigned)list[i].fvf);
        IDirect3DVertexDeclaration9_Release(declaration);
    }
    /* Nine and fifteen sets of coordinates. */
    for (i = 9; i <= 15; i += 6) {
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | i << D3DFVF_TEXCOUNT_SHIFT));
        OK(IDirect3DDevice9_GetVertexDeclaration(device, &declaration));
        OK(IDirect3DVertexDeclaration9_GetDeclaration(declaration, elements, &count));
        CHECK(count == i + 2 && elements[i].UsageIndex == i - 1 && elements[i].Type == D3DDECLTYPE_FLOAT2,
              "%u sets: %u elements", i, count);
        IDirect3DVertexDeclaration9_Release(declaration);
    }
    /* A declaration made from a code brings it back; code 0 changes nothing. */
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &declaration));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    OK(IDirect3DDevice9_GetFVF(device, &fvf));
    CHECK(fvf == (D3DFVF_XYZ | D3DFVF_DIFFUSE), "the declaration's code is %#x", (unsigned)fvf);
    OK(IDirect3DDevice9_SetFVF(device, 0));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &again));
    CHECK(again == declaration, "code 0 sets a declaration");
    IDirect3DVertexDeclaration9_Release(again);

    /* Elements that nothing reads, twice the same, and many. */
    memset(elements, 0, sizeof elements);
    for (i = 0; i < 64; i++) {
        elements[i].Offset = i * 4;
        elements[i].Type = D3DDECLTYPE_FLOAT1;
        elements[i].Usage = i < 40 ? D3DDECLUSAGE_TEXCOORD : 20;
        elements[i].UsageIndex = i % 32;
        elements[i].Method = 7;
        elements[i].Stream = i < 60 ? 0 : 17;
    }
    elements[64].Stream = 0xFF;
    elements[64].Type = D3DDECLTYPE_UNUSED;
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &own));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, own));
    OK(IDirect3DDevice9_GetFVF(device, &fvf));
    CHECK(fvf == 0, "a program's own declaration has code %#x", (unsigned)fvf);
    IDirect3DVertexDeclaration9_Release(own);
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    IDirect3DVertexDeclaration9_Release(declaration);
}

static void draws(IDirect3DDevice9 *device)
{
    static const WORD indices[6] = { 0, 1, 2, 2, 1, 3 };
    IDirect3DVertexBuffer9 *buffer, *bound;
    UINT offset, stride;
    void *memory;
    RECT backwards = { 10, 10, 5, 5 }, got;

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    clear(device, 0xFF123456);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitive(device, (D3DPRIMITIVETYPE)0, 0, 1));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, (D3DPRIMITIVETYPE)7, 1, corners, 12));
    OURS(OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 4, 2, indices, D3DFMT_X8R8G8B8,
                                                    corners, 12)));
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT(device, 0x123456, "primitives that are none");

    /* Streams that begin anywhere. */
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &memory, 0));
    memcpy((char *)memory + 3, corners, sizeof corners);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 3, 12));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &bound, &offset, &stride));
    CHECK(bound == buffer && offset == 3 && stride == 12, "offset %u, stride %u", offset, stride);
    IDirect3DVertexBuffer9_Release(bound);
    OURS(OK(IDirect3DDevice9_BeginScene(device)));
    OURS(OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2)));
    OURS(OK(IDirect3DDevice9_EndScene(device)));
    OURS(EXPECT(device, 0xFFFFFF, "vertices at an odd offset"));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 2000, 0x12345));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &bound, &offset, &stride));
    CHECK(offset == 2000 && stride == 0x12345, "offset %u, stride %u", offset, stride);
    IDirect3DVertexBuffer9_Release(bound);
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    IDirect3DVertexBuffer9_Release(buffer);

    OK(IDirect3DDevice9_SetScissorRect(device, &backwards));
    OK(IDirect3DDevice9_GetScissorRect(device, &got));
    CHECK(!memcmp(&got, &backwards, sizeof got), "the scissor rectangle");
}

/* Colours that overlap, two bytes apart: red, then cyan. */
static void overlap(IDirect3DDevice9 *device)
{
    static const D3DVERTEXELEMENT9 elements[] = { { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
        { 1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0 }, D3DDECL_END() };
    static const BYTE colors[12] = { 0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF };
    static const UINT stride[2] = { 12, 2 };
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DVertexBuffer9 *buffer;
    void *memory;
    UINT i;
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
    IDirect3DVertexDeclaration9_Release(declaration);
    for (i = 0; i < 2; i++) {
        OK(IDirect3DDevice9_CreateVertexBuffer(device, i ? sizeof colors : sizeof corners, 0, 0, D3DPOOL_MANAGED,
                                               &buffer, NULL));
        OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &memory, 0));
        memcpy(memory, i ? (const void *)colors : corners, i ? sizeof colors : sizeof corners);
        OK(IDirect3DVertexBuffer9_Unlock(buffer));
        OK(IDirect3DDevice9_SetStreamSource(device, i, buffer, 0, stride[i]));
        IDirect3DVertexBuffer9_Release(buffer);
    }
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SHADEMODE, D3DSHADE_FLAT));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    clear(device, 0xFF123456);
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2));
    OK(IDirect3DDevice9_EndScene(device));
    EXPECT_AT(device, 4, 4, 0xFF0000, "the first of the colours that overlap");
    EXPECT_AT(device, EDGE - 4, EDGE - 4, 0x00FFFF, "the second of the colours that overlap");
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_SetStreamSource(device, 1, NULL, 0, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SHADEMODE, D3DSHADE_GOURAUD));
}

static void clears(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *depth, *old;
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 0, 0xFFFF0000, 1, 0));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 0x80000000, 0xFFFF0000, 1, 0));
    EXPECT(device, 0x00FF00, "clears of nothing");
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 0x10 | D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
    EXPECT(device, 0x0000FF, "a clear of a target and an unknown flag");
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &old));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, D3DFMT_D16, D3DMULTISAMPLE_NONE, 0, TRUE, &depth,
                                                  NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_STENCIL, 0, 1, 0));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_STENCIL, 0xFFFF00FF, 1, 0));
    EXPECT(device, 0xFF00FF, "stencil that there is not");
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    INVALID(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_STENCIL, 0, 1, 0));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, old));
    IDirect3DSurface9_Release(old);
    IDirect3DSurface9_Release(depth);
}

static void textures(IDirect3DDevice9 *device)
{
    IDirect3DTexture9 *scratch;
    IDirect3DBaseTexture9 *bound;
    D3DLOCKED_RECT locked;
    OK(IDirect3DDevice9_CreateTexture(device, 1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH, &scratch, NULL));
    OK(IDirect3DTexture9_LockRect(scratch, 0, &locked, NULL, 0));
    *(DWORD *)locked.pBits = 0xFF0080FF;
    OK(IDirect3DTexture9_UnlockRect(scratch, 0));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)scratch));
    OK(IDirect3DDevice9_GetTexture(device, 0, &bound));
    CHECK(bound == (IDirect3DBaseTexture9 *)scratch, "a texture in the scratch pool");
    IDirect3DBaseTexture9_Release(bound);
    draw_strip(device, D3DFVF_XYZ, corners, 12);
    EXPECT(device, 0x0080FF, "a texture in the scratch pool");
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    IDirect3DTexture9_Release(scratch);
}

/* What is not: a back buffer that cannot be locked has no device context. */
static void back_buffers(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *surface;
    HDC context = (HDC)0x55;
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    INVALID(IDirect3DSurface9_GetDC(surface, &context));
    CHECK(context == (HDC)0x55, "a failed GetDC writes");
    IDirect3DSurface9_Release(surface);
}

/* The bytes of an answer, in a buffer that may be larger. */
static void query_bytes(IDirect3DQuery9 *query, DWORD size, HRESULT expected, const char *bytes, const char *what)
{
    unsigned char data[24];
    memset(data, 0xCC, sizeof data);
    HR(expected, IDirect3DQuery9_GetData(query, data, size, D3DGETDATA_FLUSH));
    CHECK(!memcmp(data, bytes, sizeof data), "%s, %u bytes: %02x%02x%02x%02x%02x%02x%02x%02x%02x", what, (unsigned)size,
          data[0], data[1], data[2], data[3], data[4], data[5], data[6], data[7], data[8]);
}

#define CC4 "\xCC\xCC\xCC\xCC"
#define DD4 "\xDD\xDD\xDD\xDD"
#define ZERO4 "\0\0\0\0"

static void queries(IDirect3DDevice9 *device)
{
    static const D3DQUERYTYPE kinds[] = { D3DQUERYTYPE_EVENT, D3DQUERYTYPE_OCCLUSION };
    IDirect3DQuery9 *query;
    HRESULT hr;
    DWORD pixels;
    UINT i;
    for (i = 0; i < 2; i++) {
        OK(IDirect3DDevice9_CreateQuery(device, kinds[i], &query));
        query_bytes(query, 4, S_OK, DD4 CC4 CC4 CC4 CC4 CC4, "fresh");
        query_bytes(query, 8, S_OK, DD4 ZERO4 CC4 CC4 CC4 CC4, "fresh");
        query_bytes(query, 20, S_OK, DD4 ZERO4 ZERO4 ZERO4 ZERO4 CC4, "fresh");
        query_bytes(query, 1, S_OK, "\xDD\xCC\xCC\xCC" CC4 CC4 CC4 CC4 CC4, "fresh");
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
        query_bytes(query, 8, S_FALSE, CC4 CC4 CC4 CC4 CC4 CC4, "begun");
        OK(IDirect3DQuery9_Issue(query, 0));
        IDirect3DQuery9_Release(query);
    }
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMP, &query));
    query_bytes(query, 12, S_OK, DD4 DD4 ZERO4 CC4 CC4 CC4, "a fresh timestamp");
    IDirect3DQuery9_Release(query);
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMPDISJOINT, &query));
    query_bytes(query, 12, S_OK, DD4 CC4 CC4 CC4 CC4 CC4, "fresh disjointness");
    IDirect3DQuery9_Release(query);

    /* An end without a beginning leaves the answer. */
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, 12));
    OK(IDirect3DDevice9_EndScene(device));
    for (i = 0; i < 2; i++) {
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
        while ((hr = IDirect3DQuery9_GetData(query, &pixels, sizeof pixels, D3DGETDATA_FLUSH)) == S_FALSE)
            ;
        OK(hr);
        CHECK(pixels == EDGE * EDGE, "end %u: %u pixels", i, (unsigned)pixels);
    }
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN | D3DISSUE_END));
    HR(S_FALSE, IDirect3DQuery9_GetData(query, NULL, 0, 0));
    IDirect3DQuery9_Release(query);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DDevice9 *device;
    flags_of_devices(d3d);
    device = make_device(d3d);
    codes(device);
    draws(device);
    overlap(device);
    clears(device);
    textures(device);
    back_buffers(device);
    queries(device);
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("forgiving");
}
