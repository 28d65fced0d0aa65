/* Wrong arguments: null, out of range, of another device, not ours at all. And what the
 * documentation says of Ex. */
#include "common.h"

static IDirect3DDevice9 *device;

/* Looks like a COM object and is none of Direct3D's. */
static const void *const strange_table[64] = { NULL };
static const void *strange[8] = { strange_table };

static void adapter(IDirect3D9 *d3d)
{
    D3DADAPTER_IDENTIFIER9 identifier;
    D3DDISPLAYMODE mode;
    D3DCAPS9 caps;
    DWORD levels = 0;
    UINT i, modes;

    CHECK(IDirect3D9_GetAdapterCount(d3d) == 1, "the number of adapters");
    OK(IDirect3D9_GetAdapterIdentifier(d3d, 0, 0, &identifier));
    CHECK(identifier.Description[0] != 0, "the adapter has no name");
    INVALID(IDirect3D9_GetAdapterIdentifier(d3d, 1, 0, &identifier));
    OURS(INVALID(IDirect3D9_GetAdapterIdentifier(d3d, 0, 0, NULL)));
    OK(IDirect3D9_GetAdapterDisplayMode(d3d, 0, &mode));
    CHECK(mode.Width && mode.Height && mode.Format == D3DFMT_X8R8G8B8, "the display mode");
    INVALID(IDirect3D9_GetAdapterDisplayMode(d3d, 1, &mode));
    OURS(INVALID(IDirect3D9_GetAdapterDisplayMode(d3d, 0, NULL)));
    modes = IDirect3D9_GetAdapterModeCount(d3d, 0, D3DFMT_X8R8G8B8);
    CHECK(modes > 0, "no modes");
    CHECK(IDirect3D9_GetAdapterModeCount(d3d, 1, D3DFMT_X8R8G8B8) == 0, "modes of an adapter there is not");
    CHECK(IDirect3D9_GetAdapterModeCount(d3d, 0, D3DFMT_DXT1) == 0, "modes of a format no screen has");
    for (i = 0; i < modes; i++)
        OK(IDirect3D9_EnumAdapterModes(d3d, 0, D3DFMT_X8R8G8B8, i, &mode));
    INVALID(IDirect3D9_EnumAdapterModes(d3d, 0, D3DFMT_X8R8G8B8, modes, &mode));
    CHECK(IDirect3D9_GetAdapterMonitor(d3d, 0) != NULL, "no monitor");
    CHECK(IDirect3D9_GetAdapterMonitor(d3d, 1) == NULL, "a monitor of an adapter there is not");

    OK(IDirect3D9_GetDeviceCaps(d3d, 0, D3DDEVTYPE_HAL, &caps));
    CHECK(caps.DeviceType == D3DDEVTYPE_HAL, "the type of device");
    CHECK(caps.VertexShaderVersion == D3DVS_VERSION(3, 0) && caps.PixelShaderVersion == D3DPS_VERSION(3, 0),
          "the shader versions");
    CHECK(caps.MaxActiveLights == 8 && caps.MaxSimultaneousTextures == 8 && caps.MaxStreams == 16 &&
          caps.MaxVertexShaderConst == 256 && caps.NumSimultaneousRTs == 4, "numbers in the caps");
    CHECK(caps.MaxPixelShader30InstructionSlots == 32768, "the last of the caps");
    INVALID(IDirect3D9_GetDeviceCaps(d3d, 1, D3DDEVTYPE_HAL, &caps));
    OURS(INVALID(IDirect3D9_GetDeviceCaps(d3d, 0, D3DDEVTYPE_HAL, NULL)));

    OK(IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, TRUE));
    OK(IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_UNKNOWN, TRUE));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, D3DFMT_A8R8G8B8, TRUE));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_DXT1, D3DFMT_DXT1, TRUE));
    OK(IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8));
    HR(D3DERR_NOTAVAILABLE, IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_DXT1));
    HR(D3DOK_NOAUTOGEN, IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_AUTOGENMIPMAP, D3DRTYPE_TEXTURE, D3DFMT_DXT1));
    OK(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE, D3DMULTISAMPLE_NONE, &levels));
    CHECK(levels == 1, "%u levels without multisampling", levels);
    OK(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE, D3DMULTISAMPLE_NONE, NULL));
    INVALID(IDirect3D9_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE, (D3DMULTISAMPLE_TYPE)65, &levels));
    OK(IDirect3D9_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_D24S8));
    OK(IDirect3D9_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8));
    OURS(INVALID(IDirect3D9_RegisterSoftwareDevice(d3d, NULL)));
}

static void creation(IDirect3D9 *d3d)
{
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3DDevice9 *made = (IDirect3DDevice9 *)1;
    D3DDEVICE_CREATION_PARAMETERS how;

    INVALID(IDirect3D9_CreateDevice(d3d, 1, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &made));
    OURS(INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, NULL, &made)));
    OURS(INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL)));
    p.SwapEffect = (D3DSWAPEFFECT)0;
    INVALID(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &made));
    CHECK(made == (IDirect3DDevice9 *)1, "a failed CreateDevice writes a pointer");

    /* What was left open is filled in. */
    memset(&p, 0, sizeof p);
    p.SwapEffect = D3DSWAPEFFECT_DISCARD;
    p.Windowed = TRUE;
    p.BackBufferWidth = 32;
    p.BackBufferHeight = 16;
    OK(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, (HWND)0x1234, D3DCREATE_SOFTWARE_VERTEXPROCESSING, &p, &made));
    CHECK(p.BackBufferCount == 1 && p.BackBufferFormat == D3DFMT_X8R8G8B8, "%u back buffers of format %d",
          p.BackBufferCount, p.BackBufferFormat);
    OK(IDirect3DDevice9_GetCreationParameters(made, &how));
    CHECK(how.AdapterOrdinal == 0 && how.DeviceType == D3DDEVTYPE_HAL && how.hFocusWindow == (HWND)0x1234 &&
          how.BehaviorFlags == D3DCREATE_SOFTWARE_VERTEXPROCESSING, "the creation parameters");
    OURS(INVALID(IDirect3DDevice9_GetCreationParameters(made, NULL)));
    CHECK(IDirect3DDevice9_Release(made) == 0, "the device is still referenced");
}

/* Null where something must be. */
static void nulls(void)
{
    D3DRASTER_STATUS raster;
    DWORD value = 0;
    INVALID(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, NULL, NULL));
    INVALID(IDirect3DDevice9_CreateVertexBuffer(device, 8, 0, 0, D3DPOOL_MANAGED, NULL, NULL));
    INVALID(IDirect3DDevice9_GetDirect3D(device, NULL));
    INVALID(IDirect3DDevice9_GetDeviceCaps(device, NULL));
    INVALID(IDirect3DDevice9_GetDisplayMode(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, NULL));
    INVALID(IDirect3DDevice9_GetRenderTarget(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetDepthStencilSurface(device, NULL));
    INVALID(IDirect3DDevice9_GetRenderTargetData(device, NULL, NULL));
    INVALID(IDirect3DDevice9_StretchRect(device, NULL, NULL, NULL, NULL, D3DTEXF_NONE));
    INVALID(IDirect3DDevice9_ColorFill(device, NULL, NULL, 0));
    INVALID(IDirect3DDevice9_UpdateSurface(device, NULL, NULL, NULL, NULL));
    INVALID(IDirect3DDevice9_UpdateTexture(device, NULL, NULL));
    INVALID(IDirect3DDevice9_SetTransform(device, D3DTS_WORLD, NULL));
    INVALID(IDirect3DDevice9_GetTransform(device, D3DTS_WORLD, NULL));
    INVALID(IDirect3DDevice9_SetViewport(device, NULL));
    INVALID(IDirect3DDevice9_GetViewport(device, NULL));
    INVALID(IDirect3DDevice9_SetMaterial(device, NULL));
    INVALID(IDirect3DDevice9_GetMaterial(device, NULL));
    INVALID(IDirect3DDevice9_SetLight(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetLight(device, 0, NULL));
    INVALID(IDirect3DDevice9_SetClipPlane(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetClipPlane(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetRenderState(device, D3DRS_ZENABLE, NULL));
    INVALID(IDirect3DDevice9_GetTextureStageState(device, 0, D3DTSS_COLOROP, NULL));
    INVALID(IDirect3DDevice9_GetSamplerState(device, 0, D3DSAMP_ADDRESSU, NULL));
    INVALID(IDirect3DDevice9_GetTexture(device, 0, NULL));
    INVALID(IDirect3DDevice9_ValidateDevice(device, NULL));
    INVALID(IDirect3DDevice9_SetScissorRect(device, NULL));
    INVALID(IDirect3DDevice9_GetScissorRect(device, NULL));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, &value, 12));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 0));
    INVALID(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, NULL, 12));
    INVALID(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, &value, 0));
    INVALID(IDirect3DDevice9_CreateVertexDeclaration(device, NULL, NULL));
    INVALID(IDirect3DDevice9_GetFVF(device, NULL));
    INVALID(IDirect3DDevice9_GetStreamSource(device, 0, NULL, NULL, NULL));
    INVALID(IDirect3DDevice9_GetStreamSourceFreq(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetIndices(device, NULL));
    {
        IDirect3DStateBlock9 *block = NULL;
        OK(IDirect3DDevice9_BeginStateBlock(device));
        INVALID(IDirect3DDevice9_EndStateBlock(device, NULL));
        OK(IDirect3DDevice9_EndStateBlock(device, &block));
        IDirect3DStateBlock9_Release(block);
    }
    INVALID(IDirect3DDevice9_Reset(device, NULL));
    INVALID(IDirect3DDevice9_CreateAdditionalSwapChain(device, NULL, NULL));
    INVALID(IDirect3DDevice9_GetRasterStatus(device, 0, NULL));
    INVALID(IDirect3DDevice9_GetRasterStatus(device, 1, &raster));
    INVALID(IDirect3DDevice9_SetClipStatus(device, NULL));
    INVALID(IDirect3DDevice9_GetClipStatus(device, NULL));
}

/* Declarations: what the runtime refuses as such, and what the device does. */
static void declarations(void)
{
    static const D3DVERTEXELEMENT9 crooked[] = {
        { 0, 2, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 }, D3DDECL_END()
    };
    static const D3DVERTEXELEMENT9 unused[] = {
        { 0, 0, D3DDECLTYPE_UNUSED, 0, D3DDECLUSAGE_POSITION, 0 }, D3DDECL_END()
    };
    static const D3DVERTEXELEMENT9 good[] = {
        { 0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0 },
        { 0, 12, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0 }, D3DDECL_END()
    };
    D3DVERTEXELEMENT9 endless[80];
    IDirect3DVertexDeclaration9 *made = NULL, *found = NULL;
    D3DVERTEXELEMENT9 elements[8];
    DWORD fvf = 1;
    UINT n = 0, i;

    HR(E_FAIL, IDirect3DDevice9_CreateVertexDeclaration(device, crooked, &made));
    HR(E_FAIL, IDirect3DDevice9_CreateVertexDeclaration(device, unused, &made));
    for (i = 0; i < 80; i++)
        endless[i] = good[0];
    INVALID(IDirect3DDevice9_CreateVertexDeclaration(device, endless, &made));
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, good, &made));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_TEX1));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &found));
    CHECK(found && found != made, "the declaration of an FVF is one of its own");
    OK(IDirect3DVertexDeclaration9_GetDeclaration(found, elements, &n));
    CHECK(n == 3 && memcmp(elements, good, sizeof good) == 0, "the declaration of XYZ and TEX1");
    CHECK(IDirect3DVertexDeclaration9_Release(found) == 0, "the FVF's declaration is still referenced");
    OK(IDirect3DDevice9_SetVertexDeclaration(device, made));
    OK(IDirect3DDevice9_GetFVF(device, &fvf));
    CHECK(fvf == 0, "the FVF is %#x after SetVertexDeclaration", fvf);
    OK(IDirect3DDevice9_SetVertexDeclaration(device, NULL));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &found));
    CHECK(found == NULL, "a declaration is set after SetVertexDeclaration(NULL)");
    INVALID(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1));
    CHECK(IDirect3DVertexDeclaration9_Release(made) == 0, "the declaration is still referenced");
}

/* Numbers past the last. */
static void ranges(void)
{
    IDirect3DSurface9 *surface = NULL;
    IDirect3DSwapChain9 *chain = NULL;
    float plane[4] = { 0, 0, 0, 0 };
    OK(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)4000, 0));
    OK(IDirect3DDevice9_SetTextureStageState(device, 8, D3DTSS_COLOROP, D3DTOP_DISABLE));
    OK(IDirect3DDevice9_SetSamplerState(device, 17, D3DSAMP_ADDRESSU, 1));
    OK(IDirect3DDevice9_SetTexture(device, 20, NULL));
    OK(IDirect3DDevice9_SetClipPlane(device, 6, plane));
    INVALID(IDirect3DDevice9_SetStreamSource(device, 16, NULL, 0, 0));
    INVALID(IDirect3DDevice9_GetBackBuffer(device, 0, 1, D3DBACKBUFFER_TYPE_MONO, &surface));
    INVALID(IDirect3DDevice9_GetBackBuffer(device, 1, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    INVALID(IDirect3DDevice9_GetSwapChain(device, 1, &chain));
    INVALID(IDirect3DDevice9_EndScene(device));
    HR(D3DERR_NOTAVAILABLE, IDirect3DDevice9_CreateQuery(device, (D3DQUERYTYPE)99, NULL));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, NULL));
}

/* Objects that are not this device's. */
static void strangers(IDirect3D9 *d3d)
{
    IDirect3DDevice9 *second = make_device(d3d);
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *level = NULL, *target = NULL;
    IDirect3DVertexBuffer9 *buffer = NULL;

    OK(IDirect3DDevice9_CreateTexture(second, 8, 8, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DDevice9_CreateVertexBuffer(second, 64, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
    INVALID(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    INVALID(IDirect3DDevice9_SetRenderTarget(device, 0, level));
    INVALID(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 12));

    /* One interface for another, and something that only looks like one. */
    OURS(INVALID(IDirect3DDevice9_SetTexture(second, 0, (IDirect3DBaseTexture9 *)level)));
    OURS(INVALID(IDirect3DDevice9_SetRenderTarget(second, 0, (IDirect3DSurface9 *)texture)));
    OURS(INVALID(IDirect3DDevice9_SetTexture(second, 0, (IDirect3DBaseTexture9 *)strange)));
    OURS(INVALID(IDirect3DDevice9_SetIndices(second, (IDirect3DIndexBuffer9 *)buffer)));
    OURS(INVALID(IDirect3DDevice9_SetVertexShader(second, (IDirect3DVertexShader9 *)strange)));

    OK(IDirect3DDevice9_SetRenderTarget(second, 0, level));
    OK(IDirect3DDevice9_GetRenderTarget(second, 0, &target));
    CHECK(target == level, "GetRenderTarget gives another surface");
    IDirect3DSurface9_Release(target);
    IDirect3DVertexBuffer9_Release(buffer);
    IDirect3DSurface9_Release(level);
    IDirect3DTexture9_Release(texture);
    CHECK(IDirect3DDevice9_Release(second) == 0, "the second device is still referenced");
}

/* What is only stored comes back. */
static void stored(void)
{
    PALETTEENTRY palette[256], got[256];
    D3DGAMMARAMP ramp, back;
    D3DCLIPSTATUS9 clip = { 1, 2 };
    IDirect3DSurface9 *cursor = NULL;
    UINT index = 0, i;

    for (i = 0; i < 256; i++) {
        PALETTEENTRY entry = { (BYTE)i, (BYTE)(255 - i), 7, 255 };
        palette[i] = entry;
        ramp.red[i] = (WORD)i;
        ramp.green[i] = (WORD)(i * 2);
        ramp.blue[i] = (WORD)(i * 3);
    }
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, 3)); /* before it has entries */
    OK(IDirect3DDevice9_SetPaletteEntries(device, 3, palette));
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, 3));
    OK(IDirect3DDevice9_GetCurrentTexturePalette(device, &index));
    CHECK(index == 3, "palette %u is current", index);
    OK(IDirect3DDevice9_GetPaletteEntries(device, 3, got));
    CHECK(memcmp(palette, got, sizeof got) == 0, "palette entries");
    palette[5].peFlags = 0;
    INVALID(IDirect3DDevice9_SetPaletteEntries(device, 3, palette));

    IDirect3DDevice9_GetGammaRamp(device, 0, &back);
    CHECK(back.red[255] == 65535 && back.green[0] == 0 && back.blue[128] == 128 * 257, "the default gamma ramp");
    IDirect3DDevice9_SetGammaRamp(device, 0, D3DSGR_NO_CALIBRATION, &ramp);
    IDirect3DDevice9_GetGammaRamp(device, 0, &back);
    CHECK(memcmp(&ramp, &back, sizeof ramp) == 0, "the gamma ramp");

    OK(IDirect3DDevice9_SetClipStatus(device, &clip));
    memset(&clip, 0, sizeof clip);
    OK(IDirect3DDevice9_GetClipStatus(device, &clip));
    CHECK(clip.ClipUnion == 1 && clip.ClipIntersection == 2, "the clip status");

    OK(IDirect3DDevice9_SetNPatchMode(device, 2.5f));
    CHECK(IDirect3DDevice9_GetNPatchMode(device) == 2.5f, "the N-patch mode");
    OK(IDirect3DDevice9_SetNPatchMode(device, 0));
    {
        static const float segments[4] = { 1, 1, 1, 1 };
        static const D3DRECTPATCH_INFO rect = { 0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC };
        static const D3DTRIPATCH_INFO triangle = { 0, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC };
        D3DCAPS9 caps;
        OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
        CHECK(!(caps.DevCaps & (D3DDEVCAPS_RTPATCHES | D3DDEVCAPS_QUINTICRTPATCHES | D3DDEVCAPS_NPATCHES)),
              "patches are claimed");
        OK(IDirect3DDevice9_DrawRectPatch(device, 1, segments, &rect));
        OK(IDirect3DDevice9_DrawRectPatch(device, 1, NULL, NULL));
        OK(IDirect3DDevice9_DrawTriPatch(device, 2, segments, &triangle));
        INVALID(IDirect3DDevice9_DeletePatch(device, 1));
    }
    OK(IDirect3DDevice9_SetSoftwareVertexProcessing(device, TRUE));
    CHECK(IDirect3DDevice9_GetSoftwareVertexProcessing(device), "software vertex processing");
    OK(IDirect3DDevice9_SetSoftwareVertexProcessing(device, FALSE));

    CHECK(!IDirect3DDevice9_ShowCursor(device, TRUE), "a cursor is shown without a bitmap");
    OURS(INVALID(IDirect3DDevice9_SetCursorProperties(device, 0, 0, NULL)));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 32, 32, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH, &cursor, NULL));
    OK(IDirect3DDevice9_SetCursorProperties(device, 1, 1, cursor));
    IDirect3DSurface9_Release(cursor);
    CHECK(!IDirect3DDevice9_ShowCursor(device, TRUE), "the cursor was shown before");
    CHECK(IDirect3DDevice9_ShowCursor(device, FALSE), "the cursor was hidden before");
}

static void queries(void)
{
    IDirect3DQuery9 *query = NULL;
    struct { float x, y, z, rhw; } quad[4] = {
        { -0.5f, -0.5f, 0.5f, 1 }, { 15.5f, -0.5f, 0.5f, 1 }, { -0.5f, 7.5f, 0.5f, 1 }, { 15.5f, 7.5f, 0.5f, 1 },
    };
    DWORD pixels = 0;
    HRESULT hr;
    int tries = 0;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    CHECK(IDirect3DQuery9_GetType(query) == D3DQUERYTYPE_OCCLUSION, "the query's type");
    CHECK(IDirect3DQuery9_GetDataSize(query) == 4, "the answer's size");
    clear(device, 0);
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof quad[0]));
    OK(IDirect3DDevice9_EndScene(device));
    HR(S_FALSE, IDirect3DQuery9_GetData(query, &pixels, sizeof pixels, 0));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    while ((hr = IDirect3DQuery9_GetData(query, &pixels, sizeof pixels, D3DGETDATA_FLUSH)) == S_FALSE && tries++ < 100000000)
        ;
    OK(hr);
    CHECK(pixels == 16 * 8, "%u pixels, not 128", pixels);
    OURS(INVALID(IDirect3DQuery9_GetData(query, NULL, 4, 0)));
    CHECK(IDirect3DQuery9_Release(query) == 0, "the query is still referenced");
}

/* Reset: refused while anything of the default pool is alive, state back to its defaults after. */
static void reset(void)
{
    D3DPRESENT_PARAMETERS p = windowed();
    IDirect3DVertexBuffer9 *buffer = NULL;
    IDirect3DSurface9 *back = NULL;
    D3DSURFACE_DESC desc;
    DWORD value;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
    INVALID(IDirect3DDevice9_Reset(device, &p));
    HR(D3DERR_DEVICENOTRESET, IDirect3DDevice9_TestCooperativeLevel(device));
    HR(D3DERR_DEVICELOST, IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    IDirect3DVertexBuffer9_Release(buffer);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_FOGENABLE, TRUE));
    p.BackBufferWidth = 96;
    p.BackBufferHeight = 48;
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_FOGENABLE, &value));
    CHECK(value == FALSE, "fog is on after Reset");
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_GetDesc(back, &desc));
    CHECK(desc.Width == 96 && desc.Height == 48, "the back buffer is %u x %u", desc.Width, desc.Height);
    IDirect3DSurface9_Release(back);
    OK(IDirect3DDevice9_TestCooperativeLevel(device));
    clear(device, 0xFF445566);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

static void ex(IDirect3D9 *plain)
{
    IDirect3D9Ex *d3d = NULL;
    IDirect3DDevice9Ex *made = NULL, *same = NULL;
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSwapChain9Ex *chain_ex = NULL;
    D3DPRESENT_PARAMETERS p = windowed();
    D3DDISPLAYMODEEX mode = { sizeof mode, 0, 0, 0, 0, 0 };
    D3DDISPLAYMODEFILTER filter = { sizeof filter, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE };
    D3DDISPLAYROTATION rotation = 0;
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *surface = NULL;
    LUID luid;
    UINT latency = 0, count = 0;
    void *nothing = (void *)1;

    HR(E_NOINTERFACE, IDirect3D9_QueryInterface(plain, &IID_IDirect3D9Ex, &nothing));
    CHECK(nothing == NULL, "a failed QueryInterface leaves a pointer");
    HR(E_NOINTERFACE, IDirect3DDevice9_QueryInterface(device, &IID_IDirect3DDevice9Ex, &nothing));

    OURS(INVALID(Direct3DCreate9Ex(D3D_SDK_VERSION, NULL)));
    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d));
    CHECK(IDirect3D9Ex_GetAdapterModeCountEx(d3d, 0, &filter) > 0, "no modes");
    OK(IDirect3D9Ex_EnumAdapterModesEx(d3d, 0, &filter, 0, &mode));
    OK(IDirect3D9Ex_GetAdapterDisplayModeEx(d3d, 0, &mode, &rotation));
    CHECK(rotation == D3DDISPLAYROTATION_IDENTITY && mode.Size == sizeof mode, "the display mode");
    OK(IDirect3D9Ex_GetAdapterLUID(d3d, 0, &luid));
    OK(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &mode, &made));
    IDirect3DDevice9Ex_Release(made);
    OK(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL, &made));
    OK(IDirect3DDevice9Ex_QueryInterface(made, &IID_IDirect3DDevice9Ex, (void **)&same));
    CHECK(same == made, "the Ex interface is another object");
    IDirect3DDevice9Ex_Release(same);

    INVALID(IDirect3DDevice9Ex_CreateTexture(made, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    OK(IDirect3DDevice9Ex_CreateRenderTargetEx(made, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, 0));
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(made, 8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &surface, NULL, 0));
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(made, 8, 8, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, 0));
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9Ex_GetMaximumFrameLatency(made, &latency));
    CHECK(latency == 3, "the latency is %u frames", latency);
    INVALID(IDirect3DDevice9Ex_SetMaximumFrameLatency(made, 31));
    OK(IDirect3DDevice9Ex_SetMaximumFrameLatency(made, 1));
    OK(IDirect3DDevice9Ex_CheckDeviceState(made, NULL));
    OK(IDirect3DDevice9Ex_WaitForVBlank(made, 0));
    OK(IDirect3DDevice9Ex_PresentEx(made, NULL, NULL, NULL, NULL, 0));

    OK(IDirect3DDevice9Ex_GetSwapChain(made, 0, &chain));
    OK(IDirect3DSwapChain9_QueryInterface(chain, &IID_IDirect3DSwapChain9Ex, (void **)&chain_ex));
    OK(IDirect3DSwapChain9Ex_GetLastPresentCount(chain_ex, &count));
    CHECK(count == 1, "%u frames were presented", count);
    IDirect3DSwapChain9Ex_Release(chain_ex);
    IDirect3DSwapChain9_Release(chain);

    /* ResetEx keeps resources. */
    OK(IDirect3DDevice9Ex_CreateTexture(made, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DDevice9Ex_ResetEx(made, &p, NULL));
    IDirect3DTexture9_Release(texture);
    CHECK(IDirect3DDevice9Ex_Release(made) == 0, "the device is still referenced");
    CHECK(IDirect3D9Ex_Release(d3d) == 0, "IDirect3D9Ex is still referenced");
}

/* Clear: a count without rectangles is the viewport, rectangles without a count are nothing. */
static void clears(void)
{
    D3DRECT rects[2] = { { 0, 0, 8, 8 }, { 16, 16, 24, 24 } };
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0));
    EXPECT_AT(device, 60, 60, 0x0000FF, "cleared whole");
    OK(IDirect3DDevice9_Clear(device, 3, NULL, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
    EXPECT_AT(device, 60, 60, 0x00FF00, "a count without rectangles");
    OK(IDirect3DDevice9_Clear(device, 0, rects, D3DCLEAR_TARGET, 0xFFFF0000, 1, 0));
    EXPECT_AT(device, 4, 4, 0x00FF00, "rectangles without a count");
    OK(IDirect3DDevice9_Clear(device, 2, rects, D3DCLEAR_TARGET, 0xFFFF0000, 1, 0));
    EXPECT_AT(device, 4, 4, 0xFF0000, "the first rectangle");
    EXPECT_AT(device, 20, 20, 0xFF0000, "the second rectangle");
    EXPECT_AT(device, 12, 12, 0x00FF00, "between the rectangles");
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 0x100, 0, 1, 0));
    EXPECT_AT(device, 4, 4, 0xFF0000, "a flag that is none clears nothing");
}

/* Not in d3d9.h. */
struct validator {
    const struct {
        HRESULT (*QueryInterface)(void *, REFIID, void **);
        ULONG (*AddRef)(void *);
        ULONG (*Release)(void *);
        HRESULT (*Begin)(void *, void *, void *, size_t);
        HRESULT (*Instruction)(void *, const char *, UINT, const DWORD *, UINT);
        HRESULT (*End)(void *);
    } *vtable;
};
struct validator *Direct3DShaderValidatorCreate9(void);

static void validator(void)
{
    static const DWORD tokens[] = { 0xFFFE0200, 0x0000FFFF };
    struct validator *v = Direct3DShaderValidatorCreate9();
    void *other = v;
    CHECK(v && v == Direct3DShaderValidatorCreate9(), "there is one validator");
    CHECK(v->vtable->AddRef(v) == 2 && v->vtable->Release(v) == 1, "its references are not counted");
    HR(E_NOINTERFACE, v->vtable->QueryInterface(v, &IID_IDirect3D9, &other));
    CHECK(!other, "the validator is nothing else");
    OK(v->vtable->Begin(v, NULL, NULL, 0));
    OK(v->vtable->Instruction(v, "file", 1, tokens, 1));
    OK(v->vtable->End(v));
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    validator();
    adapter(d3d);
    creation(d3d);
    device = make_device(d3d);
    OURS(nulls());
    declarations();
    ranges();
    strangers(d3d);
    stored();
    queries();
    clears();
    ex(d3d);
    reset();
    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("arguments");
}
