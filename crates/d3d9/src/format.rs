//! `D3DFORMAT`: blocks, pitches, what each format may be used for, and what the
//! GPU stores in its place.

use ninefold_renderer::{Caps, ImageFormat};

use crate::consts::*;
use crate::convert::Convert;

/// What a format is made of, whatever the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormatInfo {
    /// `D3DFMT_*`.
    pub(crate) d3d: u32,
    /// Texels per side of a block: 4 for DXT.
    pub(crate) edge: u32,
    /// Bytes of a block (of a texel where `edge` is 1).
    pub(crate) bytes: u32,
    /// Preferred GPU format.
    pub(crate) gpu: ImageFormat,
    /// How texels become `gpu`'s.
    pub(crate) convert: Convert,
    /// May be a colour target.
    pub(crate) target: bool,
    /// Has no alpha of its own: reads give 1.
    pub(crate) opaque: bool,
    /// Has stencil bits.
    pub(crate) stencil: bool,
}

const fn color(d3d: u32, bytes: u32, gpu: ImageFormat, convert: Convert) -> FormatInfo {
    FormatInfo {
        d3d,
        edge: 1,
        bytes,
        gpu,
        convert,
        target: false,
        opaque: false,
        stencil: false,
    }
}

const fn target(info: FormatInfo) -> FormatInfo {
    FormatInfo {
        target: true,
        ..info
    }
}

const fn opaque(info: FormatInfo) -> FormatInfo {
    FormatInfo {
        opaque: true,
        ..info
    }
}

const fn block(d3d: u32, bytes: u32, gpu: ImageFormat) -> FormatInfo {
    FormatInfo {
        edge: 4,
        ..color(d3d, bytes, gpu, Convert::Copy)
    }
}

const fn depth(d3d: u32, bytes: u32, stencil: bool) -> FormatInfo {
    FormatInfo {
        stencil,
        ..color(d3d, bytes, ImageFormat::D32S8, Convert::None)
    }
}

static FORMATS: [FormatInfo; 49] = {
    use Convert as C;
    use ImageFormat as G;
    [
        target(color(D3DFMT_A8R8G8B8, 4, G::Bgra8, C::Copy)),
        target(opaque(color(D3DFMT_X8R8G8B8, 4, G::Bgra8, C::Opaque8))),
        target(opaque(color(D3DFMT_R5G6B5, 2, G::Bgra8, C::R5G6B5))),
        target(opaque(color(D3DFMT_X1R5G5B5, 2, G::Bgra8, C::X1R5G5B5))),
        target(color(D3DFMT_A1R5G5B5, 2, G::Bgra8, C::A1R5G5B5)),
        target(color(D3DFMT_A4R4G4B4, 2, G::Bgra8, C::A4R4G4B4)),
        opaque(color(D3DFMT_X4R4G4B4, 2, G::Bgra8, C::X4R4G4B4)),
        opaque(color(D3DFMT_R8G8B8, 3, G::Bgra8, C::R8G8B8)),
        opaque(color(D3DFMT_R3G3B2, 1, G::Bgra8, C::R3G3B2)),
        color(D3DFMT_A8R3G3B2, 2, G::Bgra8, C::A8R3G3B2),
        color(D3DFMT_A8, 1, G::Bgra8, C::A8),
        opaque(color(D3DFMT_L8, 1, G::Bgra8, C::L8)),
        color(D3DFMT_A8L8, 2, G::Bgra8, C::A8L8),
        color(D3DFMT_A4L4, 1, G::Bgra8, C::A4L4),
        opaque(color(D3DFMT_L16, 2, G::Rgba16, C::L16)),
        target(color(D3DFMT_A8B8G8R8, 4, G::Rgba8, C::Copy)),
        target(opaque(color(D3DFMT_X8B8G8R8, 4, G::Rgba8, C::Opaque8))),
        target(color(D3DFMT_A2B10G10R10, 4, G::Rgb10A2, C::Copy)),
        target(color(D3DFMT_A2R10G10B10, 4, G::Rgb10A2, C::A2R10G10B10)),
        target(opaque(color(D3DFMT_G16R16, 4, G::Rg16, C::Copy))),
        target(color(D3DFMT_A16B16G16R16, 8, G::Rgba16, C::Copy)),
        opaque(color(D3DFMT_V8U8, 2, G::Rgba8Snorm, C::V8U8)),
        opaque(color(D3DFMT_L6V5U5, 2, G::Rgba8Snorm, C::L6V5U5)),
        opaque(color(D3DFMT_X8L8V8U8, 4, G::Rgba8Snorm, C::X8L8V8U8)),
        color(D3DFMT_Q8W8V8U8, 4, G::Rgba8Snorm, C::Copy),
        target(opaque(color(D3DFMT_R16F, 2, G::R16Float, C::Copy))),
        target(opaque(color(D3DFMT_G16R16F, 4, G::Rg16Float, C::Copy))),
        target(color(D3DFMT_A16B16G16R16F, 8, G::Rgba16Float, C::Copy)),
        target(opaque(color(D3DFMT_R32F, 4, G::R32Float, C::Copy))),
        target(opaque(color(D3DFMT_G32R32F, 8, G::Rg32Float, C::Copy))),
        target(color(D3DFMT_A32B32G32R32F, 16, G::Rgba32Float, C::Copy)),
        block(D3DFMT_DXT1, 8, G::Bc1),
        block(D3DFMT_DXT2, 16, G::Bc2),
        block(D3DFMT_DXT3, 16, G::Bc2),
        block(D3DFMT_DXT4, 16, G::Bc3),
        block(D3DFMT_DXT5, 16, G::Bc3),
        depth(D3DFMT_D16, 2, false),
        depth(D3DFMT_D16_LOCKABLE, 2, false),
        depth(D3DFMT_D15S1, 2, true),
        depth(D3DFMT_D24X8, 4, false),
        depth(D3DFMT_D24S8, 4, true),
        depth(D3DFMT_D24X4S4, 4, true),
        depth(D3DFMT_D32, 4, false),
        depth(D3DFMT_D32F_LOCKABLE, 4, false),
        depth(D3DFMT_D24FS8, 4, true),
        // Readable from memory only: the GPU never sees these.
        FormatInfo {
            convert: C::None,
            ..color(D3DFMT_P8, 1, G::R8, C::None)
        },
        FormatInfo {
            convert: C::None,
            ..color(D3DFMT_A8P8, 2, G::Rg8, C::None)
        },
        FormatInfo {
            convert: C::None,
            ..color(D3DFMT_V16U16, 4, G::Rg16, C::None)
        },
        FormatInfo {
            convert: C::None,
            ..color(D3DFMT_A2W10V10U10, 4, G::Rgb10A2, C::None)
        },
    ]
};

impl FormatInfo {
    /// The format of a `D3DFMT_*` number; `None` for one this crate does not know.
    pub(crate) fn of(d3d: u32) -> Option<&'static Self> {
        FORMATS.iter().find(|f| f.d3d == d3d)
    }

    pub(crate) fn is_depth(&self) -> bool {
        self.gpu == ImageFormat::D32S8
    }

    /// Whether samplers read the depth itself; those of the other depth formats compare with it.
    pub(crate) fn reads_raw_depth(&self) -> bool {
        const RAW: [u32; 3] = [
            u32::from_le_bytes(*b"INTZ"),
            u32::from_le_bytes(*b"DF16"),
            u32::from_le_bytes(*b"DF24"),
        ];
        RAW.contains(&self.d3d)
    }

    /// Whether `D3DSAMP_SRGBTEXTURE` and `D3DRS_SRGBWRITEENABLE` mean anything: the formats of eight
    /// bits in each of red, green and blue, and DXT. Not the luminance formats, whatever the GPU
    /// stores for them.
    pub(crate) fn srgb(&self) -> bool {
        match self.gpu {
            ImageFormat::Bc1 | ImageFormat::Bc2 | ImageFormat::Bc3 => true,
            ImageFormat::Bgra8 | ImageFormat::Rgba8 => {
                matches!(
                    self.convert,
                    Convert::Copy | Convert::Opaque8 | Convert::R8G8B8
                )
            }
            _ => false,
        }
    }

    /// Bytes of a row of blocks. Rows of uncompressed formats begin at multiples of four bytes.
    pub(crate) fn pitch(&self, width: u32) -> u32 {
        let row = width.div_ceil(self.edge) * self.bytes;
        if self.edge == 1 {
            row.next_multiple_of(4)
        } else {
            row
        }
    }

    /// Rows of blocks in `height` texels.
    pub(crate) fn rows(&self, height: u32) -> u32 {
        height.div_ceil(self.edge)
    }

    /// Whether the GPU can hold it as a texture.
    pub(crate) fn sampled(&self, caps: &Caps) -> bool {
        match self.gpu {
            ImageFormat::D32S8 => false,
            ImageFormat::R16 | ImageFormat::Rg16 | ImageFormat::Rgba16 => {
                self.convert != Convert::None && caps.norm16_textures
            }
            _ => self.convert != Convert::None,
        }
    }

    /// The GPU format and conversion on this adapter. Blocks are decoded where the adapter cannot
    /// read them, and in volumes.
    pub(crate) fn on_gpu(&self, caps: &Caps, volume: bool) -> (ImageFormat, Convert) {
        if self.edge == 4 && (volume || !caps.bc_textures) {
            let decode = match self.gpu {
                ImageFormat::Bc1 => Convert::Decode1,
                ImageFormat::Bc2 => Convert::Decode2,
                _ => Convert::Decode3,
            };
            return (ImageFormat::Rgba8, decode);
        }
        (self.gpu, self.convert)
    }
}

/// Levels of a whole mip chain.
pub(crate) fn full_chain(width: u32, height: u32, depth: u32) -> u32 {
    32 - width.max(height).max(depth).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_listed_once() {
        for (i, a) in FORMATS.iter().enumerate() {
            assert!(
                FORMATS[i + 1..].iter().all(|b| a.d3d != b.d3d),
                "{:#x}",
                a.d3d
            );
        }
    }

    #[test]
    fn pitches_are_those_of_rows_of_blocks() {
        let cases = [
            (D3DFMT_A8R8G8B8, 5, 20, 5),
            (D3DFMT_R8G8B8, 5, 16, 5),
            (D3DFMT_R5G6B5, 5, 12, 5),
            (D3DFMT_L8, 5, 8, 5),
            (D3DFMT_L8, 8, 8, 8),
            (D3DFMT_A8L8, 3, 8, 3),
            (D3DFMT_DXT1, 5, 16, 2),
            (D3DFMT_DXT1, 1, 8, 1),
            (D3DFMT_DXT3, 8, 32, 2),
            (D3DFMT_DXT5, 2, 16, 1),
            (D3DFMT_A16B16G16R16F, 3, 24, 3),
            (D3DFMT_A32B32G32R32F, 2, 32, 2),
        ];
        for (format, size, pitch, rows) in cases {
            let info = FormatInfo::of(format).unwrap();
            assert_eq!(info.pitch(size), pitch, "{format:#x} of width {size}");
            assert_eq!(info.rows(size), rows, "{format:#x} of height {size}");
        }
    }

    #[test]
    fn chains_end_at_one_texel() {
        assert_eq!(full_chain(1, 1, 1), 1);
        assert_eq!(full_chain(256, 256, 1), 9);
        assert_eq!(full_chain(5, 3, 1), 3);
        assert_eq!(full_chain(1, 1, 8), 4);
    }
}
