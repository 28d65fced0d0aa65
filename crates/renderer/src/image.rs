use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use ninefold_gpu::types::{TextureAspect, TextureViewDimension};
use ninefold_gpu::{Texture, TextureView, ViewDesc};

use crate::error::{Error, Result};
use crate::formats::srgb_twin;
use crate::keys::Texels;
use crate::mips::level_edge;

/// The three texture kinds of Direct3D 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ImageKind {
    /// `IDirect3DTexture9`, surfaces.
    D2 = 0,
    /// `IDirect3DCubeTexture9`: six layers in the order +X, -X, +Y, -Y, +Z, -Z.
    Cube = 1,
    /// `IDirect3DVolumeTexture9`.
    Volume = 2,
}

/// Texel layouts of the GPU. Direct3D formats that are not here are converted by the caller.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ImageFormat {
    /// `D3DFMT_A8R8G8B8`, `D3DFMT_X8R8G8B8`: bytes B, G, R, A.
    Bgra8 = 1,
    /// `D3DFMT_A8B8G8R8`, `D3DFMT_X8B8G8R8`: bytes R, G, B, A.
    Rgba8,
    /// One 8-bit channel.
    R8,
    /// Two 8-bit channels.
    Rg8,
    /// Four signed normalised 8-bit channels (`D3DFMT_Q8W8V8U8`).
    Rgba8Snorm,
    /// Two signed normalised 8-bit channels (`D3DFMT_V8U8`).
    Rg8Snorm,
    /// `D3DFMT_A2B10G10R10`: red in the low ten bits.
    Rgb10A2,
    /// One 16-bit normalised channel; needs [`Caps::norm16_textures`](crate::Caps).
    R16,
    /// `D3DFMT_G16R16`; needs [`Caps::norm16_textures`](crate::Caps).
    Rg16,
    /// `D3DFMT_A16B16G16R16`; needs [`Caps::norm16_textures`](crate::Caps).
    Rgba16,
    /// `D3DFMT_R16F`.
    R16Float,
    /// `D3DFMT_G16R16F`.
    Rg16Float,
    /// `D3DFMT_A16B16G16R16F`.
    Rgba16Float,
    /// `D3DFMT_R32F`.
    R32Float,
    /// `D3DFMT_G32R32F`.
    Rg32Float,
    /// `D3DFMT_A32B32G32R32F`.
    Rgba32Float,
    /// `D3DFMT_DXT1`.
    Bc1,
    /// `D3DFMT_DXT2`, `D3DFMT_DXT3`.
    Bc2,
    /// `D3DFMT_DXT4`, `D3DFMT_DXT5`.
    Bc3,
    /// Every depth and depth-stencil format: 32-bit float depth and 8-bit stencil.
    D32S8,
    /// Four signed normalised 16-bit channels (`D3DFMT_Q16W16V16U16`); needs
    /// [`Caps::norm16_textures`](crate::Caps).
    Rgba16Snorm,
}

impl ImageFormat {
    /// Width and height of a block in texels: 4 for the compressed formats, otherwise 1.
    pub fn block_edge(self) -> u32 {
        match self {
            Self::Bc1 | Self::Bc2 | Self::Bc3 => 4,
            _ => 1,
        }
    }

    /// Bytes of one block (of one texel for uncompressed formats). Depth reads back as 4 bytes.
    pub fn block_bytes(self) -> u32 {
        match self {
            Self::R8 => 1,
            Self::Rg8 | Self::Rg8Snorm | Self::R16 | Self::R16Float => 2,
            Self::Bgra8
            | Self::Rgba8
            | Self::Rgba8Snorm
            | Self::Rgb10A2
            | Self::Rg16
            | Self::Rg16Float
            | Self::R32Float
            | Self::D32S8 => 4,
            Self::Rgba16 | Self::Rgba16Snorm | Self::Rgba16Float | Self::Rg32Float | Self::Bc1 => 8,
            Self::Rgba32Float | Self::Bc2 | Self::Bc3 => 16,
        }
    }

    /// Bytes of a tightly packed row of blocks of `width` texels.
    pub fn row_bytes(self, width: u32) -> usize {
        width.div_ceil(self.block_edge()) as usize * self.block_bytes() as usize
    }

    /// Rows of blocks in `height` texels.
    pub fn rows(self, height: u32) -> u32 {
        height.div_ceil(self.block_edge())
    }

    /// Every format in the order of their numbers, which begin at 1.
    pub(crate) const ALL: [Self; 21] = [
        Self::Bgra8,
        Self::Rgba8,
        Self::R8,
        Self::Rg8,
        Self::Rgba8Snorm,
        Self::Rg8Snorm,
        Self::Rgb10A2,
        Self::R16,
        Self::Rg16,
        Self::Rgba16,
        Self::R16Float,
        Self::Rg16Float,
        Self::Rgba16Float,
        Self::R32Float,
        Self::Rg32Float,
        Self::Rgba32Float,
        Self::Bc1,
        Self::Bc2,
        Self::Bc3,
        Self::D32S8,
        Self::Rgba16Snorm,
    ];

    /// The format with this number, the inverse of `as u8`.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// What the format asks of samplers: 1 in the channels that it lacks, or a comparison.
    pub fn texels(self) -> Texels {
        match self {
            Self::R8 | Self::R16 | Self::R16Float | Self::R32Float => Texels::Red,
            Self::Rg8 | Self::Rg8Snorm | Self::Rg16 | Self::Rg16Float | Self::Rg32Float => {
                Texels::RedGreen
            }
            Self::D32S8 => Texels::Compare,
            _ => Texels::Plain,
        }
    }

    /// Whether this is the depth-stencil format.
    pub fn is_depth(self) -> bool {
        self == Self::D32S8
    }
}

/// What an image may be used for besides copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ImageUsage(u8);

impl ImageUsage {
    /// Bound to a sampler stage.
    pub const SAMPLED: Self = Self(1);
    /// Colour attachment of a pass (`D3DUSAGE_RENDERTARGET`).
    pub const COLOR: Self = Self(2);
    /// Depth-stencil attachment of a pass (`D3DUSAGE_DEPTHSTENCIL`).
    pub const DEPTH: Self = Self(4);

    /// Whether every use of `other` is allowed.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl core::ops::BitOr for ImageUsage {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Describes an image to [`Renderer::create_image`](crate::Renderer::create_image).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDesc {
    /// Texture kind.
    pub kind: ImageKind,
    /// Width of level 0 in texels, at least 1.
    pub width: u32,
    /// Height of level 0 in texels, at least 1; equal to the width for a cube.
    pub height: u32,
    /// Depth of level 0 in texels; 1 unless the kind is [`ImageKind::Volume`].
    pub depth: u32,
    /// Mip levels, at least 1; 0 means the whole chain.
    pub levels: u32,
    /// Texel layout.
    pub format: ImageFormat,
    /// Samples a pixel: 1, or 2, 4, 8 for multisampled targets.
    pub samples: u32,
    /// Uses.
    pub usage: ImageUsage,
}

impl ImageDesc {
    /// A single-sampled two-dimensional image with one level, sampled only.
    pub fn d2(width: u32, height: u32, format: ImageFormat) -> Self {
        Self {
            kind: ImageKind::D2,
            width,
            height,
            depth: 1,
            levels: 1,
            format,
            samples: 1,
            usage: ImageUsage::SAMPLED,
        }
    }
}

/// A texture, cube, volume, colour target or depth target. A clone is another handle to the same
/// image; its storage goes when the last handle has gone and the GPU is done with it.
#[derive(Clone)]
pub struct Image(pub(crate) Arc<ImageInner>);

pub(crate) struct ImageInner {
    pub(crate) id: u32,
    pub(crate) desc: ImageDesc,
    pub(crate) texture: Texture,
    /// Views of the whole image for sampling: linear, sRGB.
    sampled: [OnceLock<TextureView>; 2],
    /// Views of one level and layer, for passes and scaled copies.
    slices: Mutex<Vec<(SliceKey, TextureView)>>,
    /// Whether a cached bind group may hold this image.
    pub(crate) bound: AtomicBool,
    graveyard: Arc<Graveyard>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct SliceKey {
    level: u32,
    layer: u32,
    srgb: bool,
}

/// Ids of images that are gone but may still be held by cached bind groups.
#[derive(Default)]
pub(crate) struct Graveyard {
    ids: Mutex<Vec<u32>>,
}

impl Graveyard {
    pub(crate) fn drain(&self) -> Vec<u32> {
        match self.ids.lock() {
            Ok(mut ids) => core::mem::take(&mut *ids),
            Err(_) => Vec::new(),
        }
    }
}

impl Drop for ImageInner {
    fn drop(&mut self) {
        if self.bound.load(Ordering::Relaxed)
            && let Ok(mut ids) = self.graveyard.ids.lock()
        {
            ids.push(self.id);
        }
    }
}

impl ImageInner {
    pub(crate) fn new(
        id: u32,
        desc: ImageDesc,
        texture: Texture,
        graveyard: Arc<Graveyard>,
    ) -> Self {
        Self {
            id,
            desc,
            texture,
            sampled: [OnceLock::new(), OnceLock::new()],
            slices: Mutex::new(Vec::new()),
            bound: AtomicBool::new(false),
            graveyard,
        }
    }

    /// The whole image for sampling.
    pub(crate) fn sampled_view(&self, srgb: bool) -> Result<TextureView> {
        let twin = if srgb {
            srgb_twin(self.desc.format)
        } else {
            None
        };
        let cell = &self.sampled[usize::from(twin.is_some())];
        if let Some(view) = cell.get() {
            return Ok(view.clone());
        }
        let layers = self.texture.layers();
        let view = self.texture.view(&ViewDesc {
            format: twin,
            dimension: match self.desc.kind {
                ImageKind::D2 => TextureViewDimension::D2,
                ImageKind::Cube => TextureViewDimension::D2Array,
                ImageKind::Volume => TextureViewDimension::D3,
            },
            mips: 0..self.desc.levels,
            layers: 0..layers,
            aspect: if self.desc.format.is_depth() {
                TextureAspect::DepthOnly
            } else {
                TextureAspect::All
            },
        })?;
        Ok(cell.get_or_init(|| view).clone())
    }

    /// One level and layer, for rendering to or sampling alone.
    pub(crate) fn slice_view(&self, level: u32, layer: u32, srgb: bool) -> Result<TextureView> {
        let twin = if srgb {
            srgb_twin(self.desc.format)
        } else {
            None
        };
        let key = SliceKey {
            level,
            layer,
            srgb: twin.is_some(),
        };
        let Ok(mut slices) = self.slices.lock() else {
            return Err(Error::state("a thread panicked while it held an image"));
        };
        if let Some((_, view)) = slices.iter().find(|(have, _)| *have == key) {
            return Ok(view.clone());
        }
        let view = self.texture.view(&ViewDesc {
            format: twin,
            dimension: TextureViewDimension::D2,
            mips: level..level.saturating_add(1),
            layers: layer..layer.saturating_add(1),
            aspect: TextureAspect::All,
        })?;
        slices.push((key, view.clone()));
        Ok(view)
    }

    /// Width, height and depth of a level.
    pub(crate) fn level_size(&self, level: u32) -> [u32; 3] {
        [self.desc.width, self.desc.height, self.desc.depth].map(|edge| level_edge(edge, level))
    }

    /// Cube faces, otherwise 1.
    pub(crate) fn layers(&self) -> u32 {
        if self.desc.kind == ImageKind::Cube {
            6
        } else {
            1
        }
    }
}

impl Image {
    /// A number that no other image of this renderer ever has.
    pub fn id(&self) -> u32 {
        self.0.id
    }

    /// The description the image was made from, with `levels` resolved.
    pub fn desc(&self) -> &ImageDesc {
        &self.0.desc
    }
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Image {}

impl core::fmt::Debug for Image {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Image#{}({:?})", self.0.id, self.0.desc)
    }
}

/// A box of texels inside one level (`D3DBOX` as origin and size).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Box3 {
    /// Left edge in texels.
    pub x: u32,
    /// Top edge in texels.
    pub y: u32,
    /// Front slice of a volume; 0 otherwise.
    pub z: u32,
    /// Width in texels.
    pub w: u32,
    /// Height in texels.
    pub h: u32,
    /// Slices of a volume; 1 otherwise.
    pub d: u32,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width.
    pub w: u32,
    /// Height.
    pub h: u32,
}
