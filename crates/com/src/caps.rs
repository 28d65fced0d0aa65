//! `D3DCAPS9`: the flags are D3D9's names for what `ninefold_d3d9` draws; the numbers come from it.

use ninefold_d3d9::Caps;

/// `D3DVSHADERCAPS2_0`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexShaderCaps {
    caps: u32,
    dynamic_flow_control_depth: i32,
    temporaries: i32,
    static_flow_control_depth: i32,
}

/// `D3DPSHADERCAPS2_0`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelShaderCaps {
    caps: u32,
    dynamic_flow_control_depth: i32,
    temporaries: i32,
    static_flow_control_depth: i32,
    instruction_slots: i32,
}

/// `D3DCAPS9`, with D3D9's field names.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)]
pub(crate) struct D3DCAPS9 {
    DeviceType: u32,
    AdapterOrdinal: u32,
    Caps: u32,
    Caps2: u32,
    Caps3: u32,
    PresentationIntervals: u32,
    CursorCaps: u32,
    DevCaps: u32,
    PrimitiveMiscCaps: u32,
    RasterCaps: u32,
    ZCmpCaps: u32,
    SrcBlendCaps: u32,
    DestBlendCaps: u32,
    AlphaCmpCaps: u32,
    ShadeCaps: u32,
    TextureCaps: u32,
    TextureFilterCaps: u32,
    CubeTextureFilterCaps: u32,
    VolumeTextureFilterCaps: u32,
    TextureAddressCaps: u32,
    VolumeTextureAddressCaps: u32,
    LineCaps: u32,
    MaxTextureWidth: u32,
    MaxTextureHeight: u32,
    MaxVolumeExtent: u32,
    MaxTextureRepeat: u32,
    MaxTextureAspectRatio: u32,
    MaxAnisotropy: u32,
    MaxVertexW: f32,
    GuardBandLeft: f32,
    GuardBandTop: f32,
    GuardBandRight: f32,
    GuardBandBottom: f32,
    ExtentsAdjust: f32,
    StencilCaps: u32,
    FVFCaps: u32,
    TextureOpCaps: u32,
    MaxTextureBlendStages: u32,
    MaxSimultaneousTextures: u32,
    VertexProcessingCaps: u32,
    MaxActiveLights: u32,
    MaxUserClipPlanes: u32,
    MaxVertexBlendMatrices: u32,
    MaxVertexBlendMatrixIndex: u32,
    MaxPointSize: f32,
    MaxPrimitiveCount: u32,
    MaxVertexIndex: u32,
    MaxStreams: u32,
    MaxStreamStride: u32,
    VertexShaderVersion: u32,
    MaxVertexShaderConst: u32,
    PixelShaderVersion: u32,
    PixelShader1xMaxValue: f32,
    DevCaps2: u32,
    MaxNpatchTessellationLevel: f32,
    Reserved5: u32,
    MasterAdapterOrdinal: u32,
    AdapterOrdinalInGroup: u32,
    NumberOfAdaptersInGroup: u32,
    DeclTypes: u32,
    NumSimultaneousRTs: u32,
    StretchRectFilterCaps: u32,
    VS20Caps: VertexShaderCaps,
    PS20Caps: PixelShaderCaps,
    VertexTextureFilterCaps: u32,
    MaxVShaderInstructionsExecuted: u32,
    MaxPShaderInstructionsExecuted: u32,
    MaxVertexShader30InstructionSlots: u32,
    MaxPixelShader30InstructionSlots: u32,
}

/// `D3DDEVTYPE_HAL`.
const HAL: u32 = 1;
/// `D3DDEVTYPE_REF`.
const REFERENCE: u32 = 2;

/// Point and linear for minifying, magnifying and between levels.
const POINT_AND_LINEAR: u32 = 0x0303_0300;
/// Anisotropic for minifying and magnifying.
const ANISOTROPIC: u32 = 0x0400_0400;
/// Wrap, mirror, clamp, border, independent in u and v, mirror once.
const ADDRESSES: u32 = 0x3F;
/// All eight comparisons.
const COMPARISONS: u32 = 0xFF;
/// Zero to source alpha saturated, and the blend factor.
const BLENDS: u32 = 0x27FF;
/// The two that set both factors, of the source alone.
const BOTH_BLENDS: u32 = 0x1800;

/// The capabilities, told to a device of a `D3DDEVTYPE`: hardware's, or the reference's for all others.
pub(crate) fn caps_of(c: &Caps, kind: u32) -> D3DCAPS9 {
    let volume_filters = POINT_AND_LINEAR;
    let aniso = if c.max_anisotropy > 1 { ANISOTROPIC } else { 0 };
    D3DCAPS9 {
        DeviceType: if kind == HAL { HAL } else { REFERENCE },
        AdapterOrdinal: 0,
        // READ_SCANLINE.
        Caps: 0x0002_0000,
        // FULLSCREENGAMMA, DYNAMICTEXTURES, CANAUTOGENMIPMAP.
        Caps2: 0x6002_0000,
        // ALPHA_FULLSCREEN_FLIP_OR_DISCARD, COPY_TO_VIDMEM, COPY_TO_SYSTEMMEM.
        Caps3: 0x0000_0320,
        // ONE, TWO, THREE, FOUR, IMMEDIATE.
        PresentationIntervals: 0x8000_000F,
        // COLOR, LOWRES.
        CursorCaps: 3,
        // EXECUTESYSTEMMEMORY, EXECUTEVIDEOMEMORY, TLVERTEXSYSTEMMEMORY, TLVERTEXVIDEOMEMORY,
        // TEXTUREVIDEOMEMORY, DRAWPRIMTLVERTEX, CANRENDERAFTERFLIP, DRAWPRIMITIVES2,
        // DRAWPRIMITIVES2EX, HWTRANSFORMANDLIGHT, HWRASTERIZATION, PUREDEVICE.
        DevCaps: 0x0019_AEF0,
        // MASKZ, CULLNONE, CULLCW, CULLCCW, COLORWRITEENABLE, CLIPPLANESCALEDPOINTS, CLIPTLVERTS,
        // TSSARGTEMP, BLENDOP, INDEPENDENTWRITEMASKS, PERSTAGECONSTANT, FOGANDSPECULARALPHA,
        // SEPARATEALPHABLEND, MRTINDEPENDENTBITDEPTHS, MRTPOSTPIXELSHADERBLENDING, FOGVERTEXCLAMPED.
        PrimitiveMiscCaps: 0x001F_CFF2,
        // DITHER, ZTEST, FOGVERTEX, FOGTABLE, MIPMAPLODBIAS, FOGRANGE, ANISOTROPY, WFOG, ZFOG,
        // COLORPERSPECTIVE, SCISSORTEST, SLOPESCALEDEPTHBIAS, DEPTHBIAS.
        RasterCaps: 0x0773_2191,
        ZCmpCaps: COMPARISONS,
        SrcBlendCaps: BLENDS | BOTH_BLENDS,
        DestBlendCaps: BLENDS,
        AlphaCmpCaps: COMPARISONS,
        // COLORGOURAUDRGB, SPECULARGOURAUDRGB, ALPHAGOURAUDBLEND, FOGGOURAUD.
        ShadeCaps: 0x0008_4208,
        // PERSPECTIVE, ALPHA, TEXREPEATNOTSCALEDBYSIZE, PROJECTED, CUBEMAP, VOLUMEMAP, MIPMAP,
        // MIPVOLUMEMAP, MIPCUBEMAP.
        TextureCaps: 0x0001_EC45,
        TextureFilterCaps: POINT_AND_LINEAR | aniso,
        CubeTextureFilterCaps: POINT_AND_LINEAR | aniso,
        VolumeTextureFilterCaps: volume_filters,
        TextureAddressCaps: ADDRESSES,
        VolumeTextureAddressCaps: ADDRESSES,
        // TEXTURE, ZTEST, BLEND, ALPHACMP, FOG.
        LineCaps: 0x1F,
        MaxTextureWidth: c.max_texture_size,
        MaxTextureHeight: c.max_texture_size,
        MaxVolumeExtent: c.max_volume_extent,
        MaxTextureRepeat: 32768,
        MaxTextureAspectRatio: c.max_texture_size,
        MaxAnisotropy: c.max_anisotropy,
        MaxVertexW: 1e10,
        GuardBandLeft: -32768.0,
        GuardBandTop: -32768.0,
        GuardBandRight: 32768.0,
        GuardBandBottom: 32768.0,
        ExtentsAdjust: 0.0,
        // All eight operations, TWOSIDED.
        StencilCaps: 0x1FF,
        // PSIZE, eight texture coordinates.
        FVFCaps: 0x0010_0008,
        // DISABLE to LERP, all of them.
        TextureOpCaps: 0x03FF_FFFF,
        MaxTextureBlendStages: c.max_texture_blend_stages,
        MaxSimultaneousTextures: c.max_simultaneous_textures,
        // TEXGEN, MATERIALSOURCE7, DIRECTIONALLIGHTS, POSITIONALLIGHTS, LOCALVIEWER, TWEENING,
        // TEXGEN_SPHEREMAP.
        VertexProcessingCaps: 0x17B,
        MaxActiveLights: c.max_active_lights,
        MaxUserClipPlanes: c.max_user_clip_planes,
        MaxVertexBlendMatrices: c.max_vertex_blend_matrices,
        MaxVertexBlendMatrixIndex: c.max_vertex_blend_matrix_index,
        MaxPointSize: 256.0,
        MaxPrimitiveCount: c.max_primitive_count,
        MaxVertexIndex: c.max_vertex_index,
        MaxStreams: c.max_streams,
        MaxStreamStride: c.max_stream_stride,
        VertexShaderVersion: c.vertex_shader_version,
        MaxVertexShaderConst: c.max_vertex_shader_const,
        PixelShaderVersion: c.pixel_shader_version,
        PixelShader1xMaxValue: c.pixel_shader_1x_max_value,
        // STREAMOFFSET, CAN_STRETCHRECT_FROM_TEXTURES, VERTEXELEMENTSCANSHARESTREAMOFFSET.
        DevCaps2: 0x51,
        MaxNpatchTessellationLevel: 0.0,
        Reserved5: 0,
        MasterAdapterOrdinal: 0,
        AdapterOrdinalInGroup: 0,
        NumberOfAdaptersInGroup: 1,
        // All ten.
        DeclTypes: 0x3FF,
        NumSimultaneousRTs: c.num_simultaneous_rts,
        // MINFPOINT, MINFLINEAR, MAGFPOINT, MAGFLINEAR.
        StretchRectFilterCaps: 0x0300_0300,
        VS20Caps: VertexShaderCaps {
            // PREDICATION.
            caps: 1,
            dynamic_flow_control_depth: 24,
            temporaries: 32,
            static_flow_control_depth: 4,
        },
        PS20Caps: PixelShaderCaps {
            // ARBITRARYSWIZZLE, GRADIENTINSTRUCTIONS, PREDICATION, NODEPENDENTREADLIMIT,
            // NOTEXINSTRUCTIONLIMIT.
            caps: 0x1F,
            dynamic_flow_control_depth: 24,
            temporaries: 32,
            static_flow_control_depth: 4,
            instruction_slots: 512,
        },
        // MINFPOINT, MAGFPOINT: what devices of that time had.
        VertexTextureFilterCaps: 0x0100_0100,
        MaxVShaderInstructionsExecuted: 65535,
        MaxPShaderInstructionsExecuted: 65535,
        MaxVertexShader30InstructionSlots: 32768,
        MaxPixelShader30InstructionSlots: 32768,
    }
}
