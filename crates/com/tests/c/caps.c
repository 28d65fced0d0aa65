/* The capabilities: bits that D3D9 has no name for are clear, and what is claimed fits together. */
#include "common.h"

#define ONLY(field, names) \
    CHECK(!(caps.field & ~(DWORD)(names)), #field " %#x has bits without a name", (unsigned)caps.field)
#define ALL(field, names) \
    CHECK((caps.field & (names)) == (names), #field " %#x lacks some of %#x", (unsigned)caps.field, (unsigned)(names))

static void flags(D3DCAPS9 caps)
{
    const DWORD filters = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MINFANISOTROPIC |
        D3DPTFILTERCAPS_MIPFPOINT | D3DPTFILTERCAPS_MIPFLINEAR | D3DPTFILTERCAPS_MAGFPOINT |
        D3DPTFILTERCAPS_MAGFLINEAR | D3DPTFILTERCAPS_MAGFANISOTROPIC;
    const DWORD usual = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MIPFPOINT |
        D3DPTFILTERCAPS_MIPFLINEAR | D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR;

    CHECK(caps.DeviceType == D3DDEVTYPE_HAL && caps.AdapterOrdinal == 0, "the kind of device");
    ONLY(Caps, D3DCAPS_OVERLAY | D3DCAPS_READ_SCANLINE);
    ONLY(Caps2, D3DCAPS2_FULLSCREENGAMMA | D3DCAPS2_CANCALIBRATEGAMMA | D3DCAPS2_RESERVED | D3DCAPS2_CANMANAGERESOURCE |
         D3DCAPS2_DYNAMICTEXTURES | D3DCAPS2_CANAUTOGENMIPMAP);
    ALL(Caps2, D3DCAPS2_DYNAMICTEXTURES | D3DCAPS2_CANAUTOGENMIPMAP);
    ONLY(PresentationIntervals, D3DPRESENT_INTERVAL_ONE | D3DPRESENT_INTERVAL_TWO | D3DPRESENT_INTERVAL_THREE |
         D3DPRESENT_INTERVAL_FOUR | D3DPRESENT_INTERVAL_IMMEDIATE);
    ALL(PresentationIntervals, D3DPRESENT_INTERVAL_ONE | D3DPRESENT_INTERVAL_IMMEDIATE);
    ONLY(CursorCaps, D3DCURSORCAPS_COLOR | D3DCURSORCAPS_LOWRES);
    ALL(DevCaps, D3DDEVCAPS_HWTRANSFORMANDLIGHT | D3DDEVCAPS_PUREDEVICE | D3DDEVCAPS_HWRASTERIZATION |
        D3DDEVCAPS_DRAWPRIMITIVES2EX);
    ALL(PrimitiveMiscCaps, D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW | D3DPMISCCAPS_CULLCCW |
        D3DPMISCCAPS_COLORWRITEENABLE | D3DPMISCCAPS_TSSARGTEMP | D3DPMISCCAPS_BLENDOP |
        D3DPMISCCAPS_INDEPENDENTWRITEMASKS | D3DPMISCCAPS_PERSTAGECONSTANT | D3DPMISCCAPS_SEPARATEALPHABLEND);
    ALL(RasterCaps, D3DPRASTERCAPS_ZTEST | D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_FOGTABLE | D3DPRASTERCAPS_FOGRANGE |
        D3DPRASTERCAPS_WFOG | D3DPRASTERCAPS_ZFOG | D3DPRASTERCAPS_SCISSORTEST | D3DPRASTERCAPS_DEPTHBIAS |
        D3DPRASTERCAPS_SLOPESCALEDEPTHBIAS | D3DPRASTERCAPS_MIPMAPLODBIAS);
    CHECK(caps.ZCmpCaps == 0xFF && caps.AlphaCmpCaps == 0xFF, "the comparisons");
    ONLY(SrcBlendCaps, 0x3FFF);
    ONLY(DestBlendCaps, 0x3FFF);
    CHECK((caps.SrcBlendCaps & 0x27FF) == 0x27FF && (caps.DestBlendCaps & 0x23FF) == 0x23FF, "the blend factors");
    ALL(ShadeCaps, D3DPSHADECAPS_COLORGOURAUDRGB | D3DPSHADECAPS_SPECULARGOURAUDRGB | D3DPSHADECAPS_ALPHAGOURAUDBLEND |
        D3DPSHADECAPS_FOGGOURAUD);
    ALL(TextureCaps, D3DPTEXTURECAPS_PERSPECTIVE | D3DPTEXTURECAPS_ALPHA | D3DPTEXTURECAPS_PROJECTED |
        D3DPTEXTURECAPS_CUBEMAP | D3DPTEXTURECAPS_VOLUMEMAP | D3DPTEXTURECAPS_MIPMAP | D3DPTEXTURECAPS_MIPVOLUMEMAP |
        D3DPTEXTURECAPS_MIPCUBEMAP);
    CHECK(!(caps.TextureCaps & (D3DPTEXTURECAPS_POW2 | D3DPTEXTURECAPS_SQUAREONLY | D3DPTEXTURECAPS_NONPOW2CONDITIONAL |
                                D3DPTEXTURECAPS_CUBEMAP_POW2 | D3DPTEXTURECAPS_VOLUMEMAP_POW2)),
          "textures of any size");
    ONLY(TextureFilterCaps, filters);
    ALL(TextureFilterCaps, usual);
    ONLY(CubeTextureFilterCaps, filters);
    ALL(CubeTextureFilterCaps, usual);
    ONLY(VolumeTextureFilterCaps, filters);
    ALL(VolumeTextureFilterCaps, usual);
    ONLY(VertexTextureFilterCaps, filters);
    ALL(VertexTextureFilterCaps, D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MAGFPOINT);
    CHECK(caps.TextureAddressCaps == 0x3F && caps.VolumeTextureAddressCaps == 0x3F, "the address modes");
    ALL(LineCaps, D3DLINECAPS_TEXTURE | D3DLINECAPS_ZTEST | D3DLINECAPS_BLEND | D3DLINECAPS_ALPHACMP | D3DLINECAPS_FOG);
    CHECK(caps.StencilCaps == 0x1FF, "the stencil operations");
    ONLY(FVFCaps, D3DFVFCAPS_TEXCOORDCOUNTMASK | D3DFVFCAPS_DONOTSTRIPELEMENTS | D3DFVFCAPS_PSIZE);
    CHECK((caps.FVFCaps & D3DFVFCAPS_TEXCOORDCOUNTMASK) == 8, "eight coordinate sets");
    ALL(TextureOpCaps, D3DTEXOPCAPS_MODULATE | D3DTEXOPCAPS_DOTPRODUCT3 | D3DTEXOPCAPS_BUMPENVMAP |
        D3DTEXOPCAPS_BUMPENVMAPLUMINANCE | D3DTEXOPCAPS_MULTIPLYADD | D3DTEXOPCAPS_LERP);
    ALL(VertexProcessingCaps, D3DVTXPCAPS_TEXGEN | D3DVTXPCAPS_MATERIALSOURCE7 | D3DVTXPCAPS_DIRECTIONALLIGHTS |
        D3DVTXPCAPS_POSITIONALLIGHTS | D3DVTXPCAPS_LOCALVIEWER);
    ALL(DevCaps2, D3DDEVCAPS2_STREAMOFFSET | D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES);
    ALL(DeclTypes, D3DDTCAPS_UBYTE4 | D3DDTCAPS_UBYTE4N | D3DDTCAPS_SHORT2N | D3DDTCAPS_SHORT4N | D3DDTCAPS_FLOAT16_2 |
        D3DDTCAPS_FLOAT16_4);
    ALL(StretchRectFilterCaps, D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MAGFPOINT |
        D3DPTFILTERCAPS_MAGFLINEAR);
    ONLY(StretchRectFilterCaps, D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MAGFPOINT |
         D3DPTFILTERCAPS_MAGFLINEAR);
}

static void numbers(D3DCAPS9 caps)
{
    CHECK(caps.MaxTextureWidth >= 4096 && caps.MaxTextureHeight == caps.MaxTextureWidth, "the size of textures");
    CHECK(caps.MaxVolumeExtent >= 256, "the size of volumes");
    CHECK(caps.MaxTextureBlendStages == 8 && caps.MaxSimultaneousTextures == 8, "the stages");
    CHECK(caps.MaxActiveLights == 8, "%u lights", (unsigned)caps.MaxActiveLights);
    CHECK(caps.MaxUserClipPlanes >= 6 && caps.MaxUserClipPlanes <= D3DMAXUSERCLIPPLANES, "%u clip planes",
          (unsigned)caps.MaxUserClipPlanes);
    CHECK(caps.MaxVertexBlendMatrices == 4, "%u blend matrices", (unsigned)caps.MaxVertexBlendMatrices);
    CHECK(caps.MaxPointSize >= 64 && caps.MaxVertexW >= 1e10f, "the sizes of points and of w");
    CHECK(caps.MaxPrimitiveCount >= 0xFFFF && caps.MaxVertexIndex > 0xFFFF, "the sizes of draws");
    CHECK(caps.MaxStreams == 16 && caps.MaxStreamStride >= 508, "the streams");
    CHECK(caps.VertexShaderVersion == D3DVS_VERSION(3, 0) && caps.PixelShaderVersion == D3DPS_VERSION(3, 0), "the versions");
    CHECK(caps.MaxVertexShaderConst == 256 && caps.PixelShader1xMaxValue >= 8, "the shader numbers");
    CHECK(caps.NumSimultaneousRTs == 4 && caps.NumberOfAdaptersInGroup == 1, "targets and adapters");
    CHECK(caps.VS20Caps.NumTemps >= 12 && caps.PS20Caps.NumTemps >= 12 && caps.PS20Caps.NumInstructionSlots >= 96,
          "Shader Model 2");
    CHECK(caps.MaxVertexShader30InstructionSlots >= 512 && caps.MaxPixelShader30InstructionSlots >= 512, "Shader Model 3");
}

/* Which back buffers go with which screen. */
static void displays(IDirect3D9 *d3d)
{
    static const struct { D3DFORMAT format, with_alpha; BOOL display, in_window; } table[] = {
        { D3DFMT_R5G6B5, D3DFMT_UNKNOWN, TRUE, TRUE },
        { D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5, TRUE, TRUE },
        { D3DFMT_A1R5G5B5, D3DFMT_A1R5G5B5, FALSE, FALSE },
        { D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, TRUE, TRUE },
        { D3DFMT_A8R8G8B8, D3DFMT_A8R8G8B8, FALSE, TRUE },
        { D3DFMT_DXT1, D3DFMT_UNKNOWN, FALSE, FALSE },
    };
    UINT i, j;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        BOOL modes = IDirect3D9_GetAdapterModeCount(d3d, 0, table[i].format) > 0;
        for (j = 0; j < sizeof table / sizeof *table; j++) {
            BOOL whole = modes && (table[j].format == table[i].format ||
                                   (table[i].format == D3DFMT_X8R8G8B8 && table[j].format == table[i].with_alpha));
            HR(table[i].display && table[j].in_window ? D3D_OK : D3DERR_NOTAVAILABLE,
               IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, table[i].format, table[j].format, TRUE));
            HR(whole ? D3D_OK : D3DERR_NOTAVAILABLE,
               IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, table[i].format, table[j].format, FALSE));
        }
        HR(table[i].display ? D3D_OK : D3DERR_NOTAVAILABLE,
           IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, table[i].format, D3DFMT_UNKNOWN, TRUE));
        HR(D3DERR_NOTAVAILABLE,
           IDirect3D9_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, table[i].format, D3DFMT_UNKNOWN, FALSE));
    }
}

/* Memory on the card is taken when a resource is made. */
static void memory(IDirect3DDevice9 *device)
{
    IDirect3DTexture9 *textures[8];
    UINT before = IDirect3DDevice9_GetAvailableTextureMem(device), after, i;
    for (i = 0; i < 8; i++)
        OK(IDirect3DDevice9_CreateTexture(device, 1024, 1024, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                          &textures[i], NULL));
    after = IDirect3DDevice9_GetAvailableTextureMem(device);
    CHECK(before > after && before - after >= 8 * 1024 * 1024 * 4 - (1 << 20), "%u bytes before, %u after", before, after);
    for (i = 0; i < 8; i++)
        IDirect3DTexture9_Release(textures[i]);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    IDirect3DDevice9 *device = make_device(d3d);
    D3DCAPS9 caps, same;
    memset(&caps, 0, sizeof caps);
    memset(&same, 0, sizeof same);
    OK(IDirect3D9_GetDeviceCaps(d3d, 0, D3DDEVTYPE_HAL, &caps));
    OK(IDirect3DDevice9_GetDeviceCaps(device, &same));
    CHECK(!memcmp(&caps, &same, sizeof caps), "the device has other capabilities than its adapter");
    flags(caps);
    numbers(caps);
    displays(d3d);
    memory(device);
    CHECK(IDirect3DDevice9_Release(device) == 0, "something still holds the device");
    CHECK(IDirect3D9_Release(d3d) == 0, "something still holds Direct3D");
    return finish("caps");
}
