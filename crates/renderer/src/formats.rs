use ninefold_gpu::types::TextureFormat;

use crate::image::ImageFormat;

/// The GPU's name of a format.
pub(crate) fn texture_format(format: ImageFormat) -> TextureFormat {
    match format {
        ImageFormat::Bgra8 => TextureFormat::Bgra8Unorm,
        ImageFormat::Rgba8 => TextureFormat::Rgba8Unorm,
        ImageFormat::R8 => TextureFormat::R8Unorm,
        ImageFormat::Rg8 => TextureFormat::Rg8Unorm,
        ImageFormat::Rgba8Snorm => TextureFormat::Rgba8Snorm,
        ImageFormat::Rg8Snorm => TextureFormat::Rg8Snorm,
        ImageFormat::Rgb10A2 => TextureFormat::Rgb10a2Unorm,
        ImageFormat::R16 => TextureFormat::R16Unorm,
        ImageFormat::Rg16 => TextureFormat::Rg16Unorm,
        ImageFormat::Rgba16 => TextureFormat::Rgba16Unorm,
        ImageFormat::Rgba16Snorm => TextureFormat::Rgba16Snorm,
        ImageFormat::R16Float => TextureFormat::R16Float,
        ImageFormat::Rg16Float => TextureFormat::Rg16Float,
        ImageFormat::Rgba16Float => TextureFormat::Rgba16Float,
        ImageFormat::R32Float => TextureFormat::R32Float,
        ImageFormat::Rg32Float => TextureFormat::Rg32Float,
        ImageFormat::Rgba32Float => TextureFormat::Rgba32Float,
        ImageFormat::Bc1 => TextureFormat::Bc1RgbaUnorm,
        ImageFormat::Bc2 => TextureFormat::Bc2RgbaUnorm,
        ImageFormat::Bc3 => TextureFormat::Bc3RgbaUnorm,
        ImageFormat::D32S8 => TextureFormat::Depth32FloatStencil8,
    }
}

/// The sRGB twin of a format, for `D3DSAMP_SRGBTEXTURE` and `D3DRS_SRGBWRITEENABLE`.
pub(crate) fn srgb_twin(format: ImageFormat) -> Option<TextureFormat> {
    Some(match format {
        ImageFormat::Bgra8 => TextureFormat::Bgra8UnormSrgb,
        ImageFormat::Rgba8 => TextureFormat::Rgba8UnormSrgb,
        ImageFormat::Bc1 => TextureFormat::Bc1RgbaUnormSrgb,
        ImageFormat::Bc2 => TextureFormat::Bc2RgbaUnormSrgb,
        ImageFormat::Bc3 => TextureFormat::Bc3RgbaUnormSrgb,
        _ => return None,
    })
}
