//! What `IDirect3D9` answers about formats.

use crate::consts::*;
use crate::direct3d::Direct3D9;
use crate::format::{FormatInfo, kind};
use crate::hresult::{HResult, Result};
use crate::multisample;

/// Questions of `CheckDeviceFormat` that are asked of textures of every kind.
const QUERIES: u32 = D3DUSAGE_QUERY_SRGBREAD
    | D3DUSAGE_QUERY_FILTER
    | D3DUSAGE_QUERY_SRGBWRITE
    | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING
    | D3DUSAGE_QUERY_VERTEXTEXTURE
    | D3DUSAGE_QUERY_WRAPANDMIP;

/// The bits that usages and questions have; those above are not looked at.
const ALL_USAGES: u32 = 0x007F_FFFF;

/// What `CheckDeviceFormat` may say besides no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// `D3D_OK`.
    Full,
    /// `D3DOK_NOAUTOGEN`: all but the automatic mip levels.
    NoAutogen,
}

/// Whether a format is the name of something that the device can do, asked for with the usage
/// that drivers agreed on.
fn names_a_feature(format: u32, usage: u32) -> bool {
    match format {
        D3DFMT_ATOC | D3DFMT_INST => usage == 0,
        D3DFMT_RESZ => usage & !D3DUSAGE_RENDERTARGET == 0,
        _ => false,
    }
}

impl Direct3D9 {
    /// `CheckDeviceFormat`: whether a resource of this `D3DRTYPE_*` may have the usage and format.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` where it may not, `D3DERR_INVALIDCALL` without a display format.
    pub fn check_device_format(
        &self,
        adapter_format: u32,
        usage: u32,
        resource_type: u32,
        format: u32,
    ) -> Result<Support> {
        match adapter_format {
            D3DFMT_UNKNOWN => return Err(HResult::INVALIDCALL),
            D3DFMT_X8R8G8B8 | D3DFMT_R5G6B5 | D3DFMT_X1R5G5B5 => {}
            _ => return Err(HResult::NOTAVAILABLE),
        }
        let yes = match resource_type {
            // Buffers have no format that matters.
            D3DRTYPE_VERTEXBUFFER | D3DRTYPE_INDEXBUFFER => {
                let usage = usage & ALL_USAGES;
                usage & !(D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY) == 0
            }
            D3DRTYPE_SURFACE..=D3DRTYPE_CUBETEXTURE if names_a_feature(format, usage) => true,
            D3DRTYPE_SURFACE..=D3DRTYPE_CUBETEXTURE => FormatInfo::of(format).is_some_and(|info| {
                if resource_type == D3DRTYPE_SURFACE {
                    self.surface(info, usage & ALL_USAGES)
                } else {
                    self.texture(info, usage & ALL_USAGES, resource_type)
                }
            }),
            _ => return Err(HResult::INVALIDCALL),
        };
        if !yes {
            return Err(HResult::NOTAVAILABLE);
        }
        let makes = FormatInfo::of(format).is_some_and(|info| info.makes_mips());
        Ok(if usage & D3DUSAGE_AUTOGENMIPMAP != 0 && !makes {
            Support::NoAutogen
        } else {
            Support::Full
        })
    }

    fn surface(&self, info: &FormatInfo, usage: u32) -> bool {
        const KNOWN: u32 = D3DUSAGE_RENDERTARGET
            | D3DUSAGE_DEPTHSTENCIL
            | D3DUSAGE_WRITEONLY
            | D3DUSAGE_QUERY_SRGBWRITE
            | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING;
        let target = usage & D3DUSAGE_RENDERTARGET != 0;
        let depth = usage & D3DUSAGE_DEPTHSTENCIL != 0;
        let caps = &self.renderer_caps;
        usage & !KNOWN == 0
            && !(target && depth)
            && (!target || info.target())
            && (!depth || info.is_depth())
            && (target || depth || info.plain(caps))
            && info.on_adapter(caps)
            && (usage & D3DUSAGE_QUERY_SRGBWRITE == 0 || target && info.srgb())
            && (usage & D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING == 0 || self.blends(info))
    }

    fn texture(&self, info: &FormatInfo, usage: u32, resource_type: u32) -> bool {
        let volume = matches!(resource_type, D3DRTYPE_VOLUME | D3DRTYPE_VOLUMETEXTURE);
        let mut known =
            QUERIES | D3DUSAGE_DYNAMIC | D3DUSAGE_SOFTWAREPROCESSING | D3DUSAGE_WRITEONLY;
        if !volume {
            known |= D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_AUTOGENMIPMAP;
        }
        if resource_type == D3DRTYPE_TEXTURE {
            known |= D3DUSAGE_QUERY_LEGACYBUMPMAP;
        }
        let target = usage & D3DUSAGE_RENDERTARGET != 0;
        let depth = usage & D3DUSAGE_DEPTHSTENCIL != 0;
        let caps = &self.renderer_caps;
        if usage & !known != 0
            || target && !info.target()
            || depth && (target || resource_type != D3DRTYPE_TEXTURE)
        {
            return false;
        }
        if info.is_depth() {
            let never =
                D3DUSAGE_QUERY_SRGBREAD | D3DUSAGE_QUERY_SRGBWRITE | D3DUSAGE_QUERY_LEGACYBUMPMAP;
            return !volume && usage & never == 0 && info.has(kind::DEPTH_TEXTURE);
        }
        let float32 = matches!(
            info.d3d,
            D3DFMT_R32F | D3DFMT_G32R32F | D3DFMT_A32B32G32R32F
        );
        if info.d3d == D3DFMT_NULL {
            // Nothing that is drawn can be seen.
            return !depth && usage & QUERIES & !D3DUSAGE_QUERY_WRAPANDMIP == 0;
        }
        !depth
            && info.sampled(caps, volume)
            && (usage & (D3DUSAGE_QUERY_SRGBREAD | D3DUSAGE_QUERY_SRGBWRITE) == 0 || info.srgb())
            && (usage & D3DUSAGE_QUERY_FILTER == 0 || !float32 || caps.float32_filterable)
            && (usage & D3DUSAGE_QUERY_LEGACYBUMPMAP == 0 || info.has(kind::BUMP))
            && (usage & D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING == 0 || self.blends(info))
    }

    fn blends(&self, info: &FormatInfo) -> bool {
        info.d3d != D3DFMT_NULL
    }

    /// `CheckDeviceFormatConversion`: whether `StretchRect` turns one format into another. What can
    /// be read can become any target.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` for formats that cannot be read or drawn into.
    pub fn check_device_format_conversion(&self, source: u32, target: u32) -> Result<()> {
        let plain =
            FormatInfo::of(source).is_some_and(|f| f.plain(&self.renderer_caps) && !f.is_depth());
        let drawn = FormatInfo::of(target).is_some_and(|f| f.target());
        if source == target || plain && drawn {
            Ok(())
        } else {
            Err(HResult::NOTAVAILABLE)
        }
    }

    /// `CheckDepthStencilMatch`. The display's format does not matter.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` for formats that do not go together.
    pub fn check_depth_stencil_match(
        &self,
        _adapter_format: u32,
        target_format: u32,
        depth_format: u32,
    ) -> Result<()> {
        let check = |usage, format| {
            self.check_device_format(D3DFMT_X8R8G8B8, usage, D3DRTYPE_SURFACE, format)
        };
        check(D3DUSAGE_RENDERTARGET, target_format)?;
        check(D3DUSAGE_DEPTHSTENCIL, depth_format)?;
        Ok(())
    }

    /// `CheckDeviceMultiSampleType`: the number of quality levels.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` for sample counts the device lacks, `D3DERR_INVALIDCALL` for a format
    /// that is none.
    pub fn check_device_multi_sample_type(
        &self,
        format: u32,
        _windowed: bool,
        multi_sample: u32,
    ) -> Result<u32> {
        let counts = match FormatInfo::of(format) {
            Some(info) if info.target() || info.is_depth() => {
                self.renderer_caps.sample_counts(info.gpu)
            }
            Some(_) => 1,
            // A FOURCC may be a format, if not one of this device.
            None if format > 0xFFFF => 1,
            None => return Err(HResult::INVALIDCALL),
        };
        match multisample::quality_levels(counts, multi_sample) {
            0 => Err(HResult::NOTAVAILABLE),
            levels => Ok(levels),
        }
    }
}
