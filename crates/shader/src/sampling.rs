//! How a sampler reads, where Direct3D asks for what the GPU's samplers lack.

use bytemuck::{Pod, Zeroable};
use ninefold_bytecode::SamplerKind;

/// Values of [`SamplerRules::texels`].
pub mod texels {
    /// Every channel as the GPU gives it.
    pub const ALL: u8 = 0;
    /// The format has red alone (`D3DFMT_R32F`): green, blue and alpha read 1.
    pub const RED: u8 = 1;
    /// The format has red and green (`D3DFMT_G16R16`): blue and alpha read 1.
    pub const RED_GREEN: u8 = 2;
    /// A depth format of Direct3D 9 (`D3DFMT_D24S8`): the third coordinate, clamped to 0 to 1, is
    /// compared with the depth, and every channel reads the share of the filter's texels that are
    /// not in front of it. For 2D textures; the texture is bound as a depth texture, the sampler
    /// as a comparison with `LessEqual`.
    pub const COMPARE: u8 = 3;
    /// A depth format that is not compared with (`INTZ`): every channel reads the depth.
    pub const DEPTH: u8 = 4;
}

/// How one sampler reads its texture beside what its native sampler does. The default adds
/// nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct SamplerRules {
    /// `D3DSAMP_BORDERCOLOR`, 0xAARRGGBB. Read where `address` has a border; of a comparison its red is
    /// the border's depth.
    pub border_color: u32,
    /// `D3DSAMP_MIPMAPLODBIAS` in steps of 1/256 level.
    pub lod_bias: i16,
    /// Bits of addressing modes that the shader folds, while the native sampler clamps:
    /// [`MIRROR_U`](Self::MIRROR_U) to [`BORDER_LINEAR`](Self::BORDER_LINEAR). Cube textures
    /// have none of these, but may have [`FACES`](Self::FACES).
    pub address: u8,
    /// One of [`texels`].
    pub texels: u8,
}

impl SamplerRules {
    /// `D3DTADDRESS_MIRRORONCE` for u: the coordinate's absolute value is sampled. The next two
    /// bits are v and w.
    pub const MIRROR_U: u8 = 1;
    /// [`MIRROR_U`](Self::MIRROR_U) for every axis.
    pub const MIRROR: u8 = 7;
    /// `D3DTADDRESS_BORDER` for u, where the GPU has no border of the colour asked for. The next
    /// two bits are v and w.
    pub const BORDER_U: u8 = 8;
    /// [`BORDER_U`](Self::BORDER_U) for every axis.
    pub const BORDER: u8 = 56;
    /// The filter is linear, so that a border fades in over half a texel of level 0.
    pub const BORDER_LINEAR: u8 = 64;

    /// Filters do not cross the edges of a cube's faces, as Direct3D 9's do not. The texture is
    /// bound as a 2D texture of six layers, the sampler clamps. For cube textures.
    pub const FACES: u8 = 128;

    /// The rules without what cannot matter to a texture of `kind`.
    pub(crate) fn normalized(mut self, kind: SamplerKind) -> Self {
        let (axes, compares) = match kind {
            SamplerKind::D2 | SamplerKind::Unknown => (0b011, true),
            SamplerKind::Volume => (0b111, false),
            SamplerKind::Cube => (0, false),
        };
        if self.texels > texels::DEPTH || self.texels == texels::COMPARE && !compares {
            self.texels = texels::ALL;
        }
        let faces = match kind {
            SamplerKind::Cube => Self::FACES,
            _ => 0,
        };
        self.address &= axes | axes << 3 | Self::BORDER_LINEAR | faces;
        if self.address & Self::BORDER == 0 {
            self.address &= Self::MIRROR | Self::FACES;
            self.border_color = 0;
        }
        self
    }

    /// The rules as bytes of an identity.
    pub(crate) fn bytes(self) -> [u8; 8] {
        bytemuck::cast(self)
    }
}
