//! `D3DFORMAT`: blocks, pitches, what each format may be used for, and what the
//! GPU stores in its place.

use ninefold_renderer::{Caps, ImageFormat};

use crate::consts::*;
use crate::convert::Convert;

/// What a format may be used for, and how it differs from others.
pub(crate) mod kind {
    /// Textures of every kind.
    pub(crate) const TEXTURE: u16 = 1;
    /// 2D and cube textures, but no volumes.
    pub(crate) const FLAT: u16 = 2;
    /// Offscreen plain surfaces of the default and system-memory pools.
    pub(crate) const PLAIN: u16 = 4;
    /// Colour targets.
    pub(crate) const TARGET: u16 = 8;
    /// Has no alpha of its own: reads give 1.
    pub(crate) const OPAQUE: u16 = 16;
    /// Has depth bits.
    pub(crate) const DEPTH: u16 = 32;
    /// Has stencil bits.
    pub(crate) const STENCIL: u16 = 64;
    /// A depth format whose surfaces can be locked.
    pub(crate) const LOCKABLE: u16 = 128;
    /// Feeds `D3DTOP_BUMPENVMAP`.
    pub(crate) const BUMP: u16 = 256;
    /// `D3DSAMP_SRGBTEXTURE` and, for targets, `D3DRS_SRGBWRITEENABLE` mean something.
    pub(crate) const SRGB: u16 = 512;
    /// Locks tell a pitch of one byte a texel, whatever the blocks are (ATI1 and ATI2).
    pub(crate) const TEXEL_PITCH: u16 = 1024;
    /// A plane of luma at full size and chroma at half of it behind (YV12, NV12).
    pub(crate) const PLANAR: u16 = 2048;
    /// Sampled as the depth itself and not as a comparison (INTZ).
    pub(crate) const RAW_DEPTH: u16 = 4096;
    /// A depth format that can be a texture.
    pub(crate) const DEPTH_TEXTURE: u16 = 8192;
}
use kind::*;

/// What a format is made of, whatever the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormatInfo {
    /// `D3DFMT_*`.
    pub(crate) d3d: u32,
    /// Texels across and down a block: 4 x 4 for DXT, 2 x 1 for packed YUV.
    pub(crate) block: [u32; 2],
    /// Bytes of a block (of a texel where a block is one).
    pub(crate) bytes: u32,
    /// Preferred GPU format.
    pub(crate) gpu: ImageFormat,
    /// How texels become `gpu`'s.
    pub(crate) convert: Convert,
    /// Bits of [`kind`].
    kind: u16,
}

const fn texels(d3d: u32, bytes: u32, gpu: ImageFormat, convert: Convert, kind: u16) -> FormatInfo {
    FormatInfo {
        d3d,
        block: [1, 1],
        bytes,
        gpu,
        convert,
        kind,
    }
}

/// A colour format of texels that can be sampled.
const fn color(d3d: u32, bytes: u32, gpu: ImageFormat, convert: Convert, more: u16) -> FormatInfo {
    texels(d3d, bytes, gpu, convert, TEXTURE | PLAIN | more)
}

const fn dxt(d3d: u32, bytes: u32, gpu: ImageFormat) -> FormatInfo {
    FormatInfo {
        block: [4, 4],
        ..color(d3d, bytes, gpu, Convert::Copy, SRGB)
    }
}

const fn blocks(d3d: u32, block: [u32; 2], bytes: u32, convert: Convert, kind: u16) -> FormatInfo {
    FormatInfo {
        block,
        ..texels(d3d, bytes, ImageFormat::Bgra8, convert, kind)
    }
}

const fn depth(d3d: u32, bytes: u32, convert: Convert, more: u16) -> FormatInfo {
    texels(d3d, bytes, ImageFormat::D32S8, convert, DEPTH | more)
}

/// A format that memory holds and nothing draws with.
const fn memory(d3d: u32, bytes: u32) -> FormatInfo {
    texels(d3d, bytes, ImageFormat::Bgra8, Convert::None, 0)
}

static FORMATS: [FormatInfo; 64] = {
    use Convert as C;
    use ImageFormat as G;
    [
        color(D3DFMT_A8R8G8B8, 4, G::Bgra8, C::Copy, TARGET | SRGB),
        color(
            D3DFMT_X8R8G8B8,
            4,
            G::Bgra8,
            C::Opaque8,
            TARGET | OPAQUE | SRGB,
        ),
        color(
            D3DFMT_R5G6B5,
            2,
            G::Bgra8,
            C::R5G6B5,
            TARGET | OPAQUE | SRGB,
        ),
        color(D3DFMT_X1R5G5B5, 2, G::Bgra8, C::X1R5G5B5, TARGET | OPAQUE),
        color(D3DFMT_A1R5G5B5, 2, G::Bgra8, C::A1R5G5B5, TARGET),
        color(D3DFMT_A4R4G4B4, 2, G::Bgra8, C::A4R4G4B4, TARGET | SRGB),
        color(D3DFMT_X4R4G4B4, 2, G::Bgra8, C::X4R4G4B4, OPAQUE),
        color(D3DFMT_R8G8B8, 3, G::Bgra8, C::R8G8B8, OPAQUE | SRGB),
        color(D3DFMT_R3G3B2, 1, G::Bgra8, C::R3G3B2, OPAQUE),
        color(D3DFMT_A8R3G3B2, 2, G::Bgra8, C::A8R3G3B2, 0),
        color(D3DFMT_A8, 1, G::Bgra8, C::A8, 0),
        color(D3DFMT_L8, 1, G::Bgra8, C::L8, OPAQUE),
        color(D3DFMT_A8L8, 2, G::Bgra8, C::A8L8, 0),
        color(D3DFMT_A4L4, 1, G::Bgra8, C::A4L4, 0),
        color(D3DFMT_L16, 2, G::Rgba16, C::L16, OPAQUE),
        color(D3DFMT_A8B8G8R8, 4, G::Rgba8, C::Copy, TARGET | SRGB),
        color(
            D3DFMT_X8B8G8R8,
            4,
            G::Rgba8,
            C::Opaque8,
            TARGET | OPAQUE | SRGB,
        ),
        color(D3DFMT_A2B10G10R10, 4, G::Rgb10A2, C::Copy, TARGET),
        color(D3DFMT_A2R10G10B10, 4, G::Rgb10A2, C::A2R10G10B10, TARGET),
        color(D3DFMT_G16R16, 4, G::Rg16, C::Copy, TARGET | OPAQUE),
        color(D3DFMT_A16B16G16R16, 8, G::Rgba16, C::Copy, TARGET),
        color(D3DFMT_V8U8, 2, G::Rgba8Snorm, C::V8U8, OPAQUE | BUMP),
        color(D3DFMT_L6V5U5, 2, G::Rgba16Float, C::L6V5U5, OPAQUE | BUMP),
        color(
            D3DFMT_X8L8V8U8,
            4,
            G::Rgba16Float,
            C::X8L8V8U8,
            OPAQUE | BUMP,
        ),
        color(D3DFMT_Q8W8V8U8, 4, G::Rgba8Snorm, C::Copy, BUMP),
        color(D3DFMT_V16U16, 4, G::Rgba16Snorm, C::V16U16, OPAQUE | BUMP),
        color(D3DFMT_Q16W16V16U16, 8, G::Rgba16Snorm, C::Copy, 0),
        color(D3DFMT_A2W10V10U10, 4, G::Rgba16Float, C::A2W10V10U10, BUMP),
        color(D3DFMT_CXV8U8, 2, G::Rgba16Float, C::CxV8U8, OPAQUE | BUMP),
        color(D3DFMT_R16F, 2, G::R16Float, C::Copy, TARGET | OPAQUE),
        color(D3DFMT_G16R16F, 4, G::Rg16Float, C::Copy, TARGET | OPAQUE),
        color(D3DFMT_A16B16G16R16F, 8, G::Rgba16Float, C::Copy, TARGET),
        color(D3DFMT_R32F, 4, G::R32Float, C::Copy, TARGET | OPAQUE),
        color(D3DFMT_G32R32F, 8, G::Rg32Float, C::Copy, TARGET | OPAQUE),
        color(D3DFMT_A32B32G32R32F, 16, G::Rgba32Float, C::Copy, TARGET),
        dxt(D3DFMT_DXT1, 8, G::Bc1),
        dxt(D3DFMT_DXT2, 16, G::Bc2),
        dxt(D3DFMT_DXT3, 16, G::Bc2),
        dxt(D3DFMT_DXT4, 16, G::Bc3),
        dxt(D3DFMT_DXT5, 16, G::Bc3),
        blocks(D3DFMT_ATI1, [4, 4], 8, C::Ati1, FLAT | PLAIN | TEXEL_PITCH),
        blocks(
            D3DFMT_ATI2,
            [4, 4],
            16,
            C::Ati2,
            FLAT | PLAIN | OPAQUE | TEXEL_PITCH,
        ),
        blocks(D3DFMT_UYVY, [2, 1], 4, C::Uyvy, PLAIN | OPAQUE),
        blocks(D3DFMT_YUY2, [2, 1], 4, C::Yuy2, PLAIN | OPAQUE),
        blocks(D3DFMT_R8G8_B8G8, [2, 1], 4, C::None, 0),
        blocks(D3DFMT_G8R8_G8B8, [2, 1], 4, C::None, 0),
        texels(D3DFMT_YV12, 1, G::Bgra8, C::Yv12, PLAIN | OPAQUE | PLANAR),
        texels(D3DFMT_NV12, 1, G::Bgra8, C::Nv12, PLAIN | OPAQUE | PLANAR),
        // Takes what is drawn and keeps nothing that can be read.
        color(D3DFMT_NULL, 4, G::Bgra8, C::Copy, TARGET),
        depth(D3DFMT_D16, 2, C::Depth16, DEPTH_TEXTURE),
        depth(D3DFMT_D16_LOCKABLE, 2, C::Depth16, DEPTH_TEXTURE | LOCKABLE),
        depth(D3DFMT_D15S1, 2, C::None, STENCIL),
        depth(D3DFMT_D24X8, 4, C::Depth24, DEPTH_TEXTURE),
        depth(D3DFMT_D24S8, 4, C::Depth24, DEPTH_TEXTURE | STENCIL),
        depth(D3DFMT_D24X4S4, 4, C::Depth24, STENCIL),
        depth(D3DFMT_D32, 4, C::None, 0),
        depth(D3DFMT_D32F_LOCKABLE, 4, C::Copy, DEPTH_TEXTURE | LOCKABLE),
        depth(D3DFMT_D24FS8, 4, C::None, DEPTH_TEXTURE | STENCIL),
        depth(
            D3DFMT_INTZ,
            4,
            C::Depth24,
            DEPTH_TEXTURE | STENCIL | RAW_DEPTH,
        ),
        color(D3DFMT_P8, 1, G::Bgra8, C::P8, 0),
        color(D3DFMT_A8P8, 2, G::Bgra8, C::A8P8, 0),
        memory(D3DFMT_MULTI2_ARGB8, 1),
        memory(D3DFMT_INDEX16, 2),
        memory(D3DFMT_INDEX32, 4),
    ]
};

impl FormatInfo {
    /// The format of a `D3DFMT_*` number; `None` for one this crate does not know.
    pub(crate) fn of(d3d: u32) -> Option<&'static Self> {
        FORMATS.iter().find(|f| f.d3d == d3d)
    }

    /// Whether every bit of `kind` holds.
    pub(crate) const fn has(&self, kind: u16) -> bool {
        self.kind & kind == kind
    }

    pub(crate) const fn is_depth(&self) -> bool {
        self.has(DEPTH)
    }

    /// Whether samplers read the depth itself; those of the other depth formats compare with it.
    pub(crate) const fn reads_raw_depth(&self) -> bool {
        self.has(RAW_DEPTH)
    }

    /// Has no alpha of its own: reads give 1.
    pub(crate) const fn opaque(&self) -> bool {
        self.has(OPAQUE)
    }

    pub(crate) const fn stencil(&self) -> bool {
        self.has(STENCIL)
    }

    /// May be a colour target.
    pub(crate) const fn target(&self) -> bool {
        self.has(TARGET)
    }

    /// Whether `D3DSAMP_SRGBTEXTURE` and `D3DRS_SRGBWRITEENABLE` mean anything: the formats of
    /// colours with up to eight bits, and DXT. Not the luminance formats, whatever the GPU stores
    /// for them.
    pub(crate) const fn srgb(&self) -> bool {
        self.has(SRGB)
    }

    /// Whether a block is more than a texel.
    pub(crate) const fn in_blocks(&self) -> bool {
        self.block[0] * self.block[1] > 1
    }

    /// Whether texels are 4 x 4 blocks.
    pub(crate) const fn compressed(&self) -> bool {
        self.block[1] > 1
    }

    /// Bytes of a row of blocks. Rows of uncompressed formats begin at multiples of four bytes.
    pub(crate) fn pitch(&self, width: u32) -> u32 {
        let row = width.div_ceil(self.block[0]) * self.bytes;
        if self.compressed() {
            row
        } else {
            row.next_multiple_of(4)
        }
    }

    /// Rows of blocks in `height` texels; of a planar format those of the chroma planes too.
    pub(crate) fn rows(&self, height: u32) -> u32 {
        if self.has(PLANAR) {
            height + height.div_ceil(2)
        } else {
            height.div_ceil(self.block[1])
        }
    }

    /// The pitch that a lock tells, and the bytes and texels across and down that it counts in.
    pub(crate) fn lock_pitch(&self, width: u32) -> LockPitch {
        if self.has(TEXEL_PITCH) {
            LockPitch {
                row: width,
                bytes: 1,
                block: [1, 1],
            }
        } else {
            LockPitch {
                row: self.pitch(width),
                bytes: self.bytes,
                block: self.block,
            }
        }
    }

    /// Whether the GPU can hold it as a texture of any kind, a surface or a target.
    pub(crate) fn on_adapter(&self, caps: &Caps) -> bool {
        match self.gpu {
            _ if self.is_depth() => true,
            ImageFormat::Rg16 | ImageFormat::Rgba16 | ImageFormat::Rgba16Snorm => {
                caps.norm16_textures
            }
            _ => self.convert != Convert::None,
        }
    }

    /// Whether a 2D or cube texture, or a volume one, can be made of it and sampled.
    pub(crate) fn sampled(&self, caps: &Caps, volume: bool) -> bool {
        let kind = self.has(TEXTURE) || !volume && (self.has(FLAT) || self.has(DEPTH_TEXTURE));
        kind && self.on_adapter(caps)
    }

    /// Whether an offscreen plain surface can be made of it outside the scratch pool.
    pub(crate) fn plain(&self, caps: &Caps) -> bool {
        (self.has(PLAIN) || self.is_depth()) && self.on_adapter(caps)
    }

    /// The GPU format and conversion on this adapter. Blocks are decoded where the adapter cannot
    /// read them, and in volumes.
    pub(crate) fn on_gpu(&self, caps: &Caps, volume: bool) -> (ImageFormat, Convert) {
        if volume || !caps.bc_textures {
            let decode = match self.gpu {
                ImageFormat::Bc1 => Convert::Decode1,
                ImageFormat::Bc2 => Convert::Decode2,
                ImageFormat::Bc3 => Convert::Decode3,
                _ => return (self.gpu, self.convert),
            };
            return (ImageFormat::Rgba8, decode);
        }
        (self.gpu, self.convert)
    }

    /// Whether the GPU makes mip levels.
    pub(crate) const fn makes_mips(&self) -> bool {
        self.renders() && self.d3d != D3DFMT_NULL
    }

    /// Whether the GPU can draw into what it stores.
    pub(crate) const fn renders(&self) -> bool {
        !self.compressed()
            && matches!(
                self.gpu,
                ImageFormat::Bgra8
                    | ImageFormat::Rgba8
                    | ImageFormat::Rgb10A2
                    | ImageFormat::Rg16
                    | ImageFormat::Rgba16
                    | ImageFormat::R16Float
                    | ImageFormat::Rg16Float
                    | ImageFormat::Rgba16Float
                    | ImageFormat::R32Float
                    | ImageFormat::Rg32Float
                    | ImageFormat::Rgba32Float
            )
    }
}

/// How locks of a format count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockPitch {
    /// Bytes from a row (of blocks) to the next.
    pub(crate) row: u32,
    /// Bytes of a block.
    pub(crate) bytes: u32,
    /// Texels across and down a block.
    pub(crate) block: [u32; 2],
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
            (D3DFMT_YUY2, 3, 8, 3),
            (D3DFMT_UYVY, 6, 12, 6),
            (D3DFMT_YV12, 6, 8, 9),
            (D3DFMT_NV12, 4, 4, 6),
        ];
        for (format, size, pitch, rows) in cases {
            let info = FormatInfo::of(format).unwrap();
            assert_eq!(info.pitch(size), pitch, "{format:#x} of width {size}");
            assert_eq!(info.rows(size), rows, "{format:#x} of height {size}");
        }
    }

    #[test]
    fn ati_formats_tell_a_byte_a_texel() {
        let lock = FormatInfo::of(D3DFMT_ATI1).unwrap().lock_pitch(64);
        assert_eq!((lock.row, lock.bytes, lock.block), (64, 1, [1, 1]));
        let lock = FormatInfo::of(D3DFMT_DXT5).unwrap().lock_pitch(64);
        assert_eq!((lock.row, lock.bytes, lock.block), (256, 16, [4, 4]));
    }

    #[test]
    fn chains_end_at_one_texel() {
        assert_eq!(full_chain(1, 1, 1), 1);
        assert_eq!(full_chain(256, 256, 1), 9);
        assert_eq!(full_chain(5, 3, 1), 3);
        assert_eq!(full_chain(1, 1, 8), 4);
    }
}
