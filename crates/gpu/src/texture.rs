//! Textures and views of them.
//!
//! Between commands every subresource is in its texture's *rest* state; see
//! [`TextureInner::rest`] and `commands::state`.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use wgpu_hal as hal;
use wgpu_types as wgt;
use wgt::TextureUsages as Usages;

use crate::desc::{Initial, TextureDesc, TextureKind, ViewDesc};
use crate::device::{FenceValue, Gpu};
use crate::error::{Result, invalid};
use crate::raw::{RawTexture, RawView};

const ALL_USES: Usages = Usages::TEXTURE_BINDING
    .union(Usages::RENDER_ATTACHMENT)
    .union(Usages::COPY_SRC)
    .union(Usages::COPY_DST);

/// An image in GPU memory. Clones share it.
///
/// The memory is freed when the last handle (views and bind groups hold one)
/// is gone and the GPU has finished the last submission that uses it.
#[derive(Clone)]
pub struct Texture(pub(crate) Arc<TextureInner>);

impl std::fmt::Debug for Texture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let t = &self.0;
        write!(
            f,
            "Texture({:?} {:?} {}x{}x{} mips {})",
            t.kind, t.format, t.size[0], t.size[1], t.size[2], t.mips
        )
    }
}

pub(crate) struct TextureInner {
    pub(crate) raw: RawTexture,
    pub(crate) kind: TextureKind,
    /// Width, height and depth of level 0.
    pub(crate) size: [u32; 3],
    pub(crate) mips: u32,
    pub(crate) layers: u32,
    pub(crate) samples: u32,
    pub(crate) format: wgt::TextureFormat,
    pub(crate) usage: Usages,
    pub(crate) srgb_views: bool,
    pub(crate) initial: Initial,
    /// The state that it was made in.
    pub(crate) origin: wgt::TextureUses,
    /// As in [`crate::buffer::BufferInner`].
    pub(crate) kept: AtomicU64,
    pub(crate) touched: AtomicU64,
}

impl TextureInner {
    /// The state between uses: sampled where the texture can be, else the
    /// attachment state, else that of copies.
    pub(crate) fn rest(&self) -> wgt::TextureUses {
        if self.usage.contains(Usages::TEXTURE_BINDING) {
            wgt::TextureUses::RESOURCE
        } else if self.usage.contains(Usages::RENDER_ATTACHMENT) {
            self.attachment_use()
        } else {
            wgt::TextureUses::COPY_DST
        }
    }

    pub(crate) fn attachment_use(&self) -> wgt::TextureUses {
        if self.format.is_depth_stencil_format() {
            wgt::TextureUses::DEPTH_STENCIL_WRITE
        } else {
            wgt::TextureUses::COLOR_TARGET
        }
    }

    /// Size of level `mip` in texels.
    pub(crate) fn mip_size(&self, mip: u32) -> [u32; 3] {
        self.size.map(|side| (side >> mip).max(1))
    }
}

impl Gpu {
    /// Creates a texture whose first contents are [`TextureDesc::initial`].
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] naming the member of `desc` that the device
    /// cannot do; [`crate::Error::OutOfMemory`]; [`crate::Error::DeviceLost`].
    pub fn create_texture(&self, desc: &TextureDesc<'_>) -> Result<Texture> {
        let shared = self.shared();
        shared.alive()?;
        self.check_texture(desc)?;
        use wgt::TextureUses as T;
        let depth_stencil = desc.format.is_depth_stencil_format();
        let mut uses = T::empty();
        uses.set(T::RESOURCE, desc.usage.contains(Usages::TEXTURE_BINDING));
        uses.set(T::COPY_SRC, desc.usage.contains(Usages::COPY_SRC));
        // First contents come by copy, unless a pass has to clear them.
        let copied = desc.samples == 1 || desc.usage.contains(Usages::COPY_DST);
        uses.set(T::COPY_DST, copied);
        if desc.usage.contains(Usages::RENDER_ATTACHMENT) {
            uses |= if depth_stencil {
                T::DEPTH_STENCIL_WRITE
            } else {
                T::COLOR_TARGET
            };
        }
        let layers = if desc.kind == TextureKind::Cube { 6 } else { 1 };
        let twin = srgb_twin(desc.format);
        let hal_desc = hal::TextureDescriptor {
            label: Some(desc.label),
            size: wgt::Extent3d {
                width: desc.width,
                height: desc.height,
                depth_or_array_layers: desc.depth.max(layers),
            },
            mip_level_count: desc.mips,
            sample_count: desc.samples,
            dimension: match desc.kind {
                TextureKind::D2 | TextureKind::Cube => wgt::TextureDimension::D2,
                TextureKind::D3 => wgt::TextureDimension::D3,
            },
            format: desc.format,
            usage: uses,
            memory_flags: hal::MemoryFlags::empty(),
            view_formats: match twin {
                Some(twin) if desc.srgb_views => vec![twin],
                _ => Vec::new(),
            },
        };
        // SAFETY: `check_texture` compared every member with the device's caps.
        let object = shared.check(unsafe { shared.device.create_texture(&hal_desc) })?;
        let texture = Texture(Arc::new(TextureInner {
            raw: RawTexture::new(shared, object),
            kind: desc.kind,
            size: [desc.width, desc.height, desc.depth],
            mips: desc.mips,
            layers,
            samples: desc.samples,
            format: desc.format,
            usage: desc.usage,
            srgb_views: desc.srgb_views && twin.is_some(),
            initial: desc.initial,
            origin: wgt::TextureUses::UNINITIALIZED,
            kept: AtomicU64::new(0),
            touched: AtomicU64::new(0),
        }));
        let mut newborn = shared.newborn.lock();
        if newborn.len() >= 64 && newborn.len().is_power_of_two() {
            newborn.retain(|texture| texture.strong_count() > 0);
        }
        newborn.push(Arc::downgrade(&texture.0));
        Ok(texture)
    }

    pub(crate) fn check_texture(&self, desc: &TextureDesc<'_>) -> Result<()> {
        let caps = self.caps();
        let format = self.format_caps(desc.format);
        let depth_stencil = desc.format.is_depth_stencil_format();
        let volume = desc.kind == TextureKind::D3;
        let limit = if volume {
            caps.max_texture_3d
        } else {
            caps.max_texture_2d
        };
        let sides = [desc.width, desc.height, desc.depth];
        if sides.iter().any(|&side| side == 0 || side > limit) {
            return Err(invalid(format!(
                "texture size {sides:?} must be 1 to {limit} a side"
            )));
        }
        if !volume && desc.depth != 1 {
            return Err(invalid(format!(
                "texture depth {} must be 1 outside D3",
                desc.depth
            )));
        }
        if desc.kind == TextureKind::Cube && desc.width != desc.height {
            return Err(invalid(format!(
                "cube texture {}x{} must be square",
                desc.width, desc.height
            )));
        }
        let largest = sides.into_iter().max().unwrap_or(1);
        if desc.mips == 0 || desc.mips > 32 - largest.leading_zeros() {
            return Err(invalid(format!(
                "{} mip levels for size {sides:?}",
                desc.mips
            )));
        }
        if !ALL_USES.contains(desc.usage) || desc.usage.is_empty() {
            return Err(invalid(format!(
                "texture usage {:?} must be of {ALL_USES:?}",
                desc.usage
            )));
        }
        if desc.format.is_multi_planar_format() || format == crate::FormatCaps::default() {
            return Err(invalid(format!(
                "the device has no texture format {:?}",
                desc.format
            )));
        }
        if desc.usage.contains(Usages::TEXTURE_BINDING) && !format.sampled {
            return Err(invalid(format!(
                "the device cannot sample {:?}",
                desc.format
            )));
        }
        let target = desc.usage.contains(Usages::RENDER_ATTACHMENT);
        if target && (volume || !(format.target || format.depth_stencil)) {
            return Err(invalid(format!(
                "the device cannot render to {:?} {:?}",
                desc.kind, desc.format
            )));
        }
        if depth_stencil && (volume || !target) {
            return Err(invalid(format!(
                "{:?} is for 2D and cube attachments only",
                desc.format
            )));
        }
        if volume && desc.format.is_compressed() && !caps.texture_bc_3d {
            return Err(invalid("the device has no compressed volumes"));
        }
        let (block_w, block_h) = desc.format.block_dimensions();
        if !desc.width.is_multiple_of(block_w) || !desc.height.is_multiple_of(block_h) {
            return Err(invalid(format!(
                "level 0 of {:?} must be a multiple of {block_w}x{block_h}, not {}x{}",
                desc.format, desc.width, desc.height
            )));
        }
        let samples_ok = desc.samples == 1
            || (desc.samples.is_power_of_two()
                && desc.samples <= 16
                && format.sample_counts & (1 << desc.samples.trailing_zeros()) != 0
                && desc.kind == TextureKind::D2
                && desc.mips == 1
                && target);
        if !samples_ok {
            return Err(invalid(format!(
                "{} samples of {:?}: the device or the texture's kind, levels or uses forbid it",
                desc.samples, desc.format
            )));
        }
        Ok(())
    }
}

/// The format of the same bits with the other sRGB-ness.
pub(crate) fn srgb_twin(format: wgt::TextureFormat) -> Option<wgt::TextureFormat> {
    let twin = if format.is_srgb() {
        format.remove_srgb_suffix()
    } else {
        format.add_srgb_suffix()
    };
    (twin != format).then_some(twin)
}

impl Texture {
    /// Width, height and depth of level 0 in texels.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.0.size
    }

    /// Width, height and depth of level `mip` in texels, at least 1 each.
    #[must_use]
    pub fn mip_size(&self, mip: u32) -> [u32; 3] {
        self.0.mip_size(mip.min(31))
    }

    /// Shape.
    #[must_use]
    pub fn kind(&self) -> TextureKind {
        self.0.kind
    }

    /// Number of mip levels.
    #[must_use]
    pub fn mips(&self) -> u32 {
        self.0.mips
    }

    /// Number of layers: 6 for cubes, 1 otherwise.
    #[must_use]
    pub fn layers(&self) -> u32 {
        self.0.layers
    }

    /// Samples per texel.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.0.samples
    }

    /// Texel format.
    #[must_use]
    pub fn format(&self) -> wgt::TextureFormat {
        self.0.format
    }

    /// What it may be used for.
    #[must_use]
    pub fn usage(&self) -> Usages {
        self.0.usage
    }

    /// As [`crate::Buffer::last_use`].
    #[must_use]
    pub fn last_use(&self) -> Option<FenceValue> {
        use std::sync::atomic::Ordering::Acquire;
        let serial = self.0.kept.load(Acquire).max(self.0.touched.load(Acquire));
        (serial != 0).then_some(FenceValue(serial))
    }

    /// Whether it is of the device of `gpu`.
    #[must_use]
    pub fn is_of(&self, gpu: &Gpu) -> bool {
        Arc::ptr_eq(self.0.raw.shared(), gpu.shared())
    }

    /// Whether both handles are of one texture.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A view of everything, for sampling: all levels, all faces, the
    /// texture's own format and, for depth formats, depth.
    ///
    /// # Errors
    /// As [`Texture::view`].
    pub fn full_view(&self) -> Result<TextureView> {
        self.view(&ViewDesc {
            format: None,
            dimension: match self.0.kind {
                TextureKind::D2 => wgt::TextureViewDimension::D2,
                TextureKind::Cube => wgt::TextureViewDimension::Cube,
                TextureKind::D3 => wgt::TextureViewDimension::D3,
            },
            mips: 0..self.0.mips,
            layers: 0..self.0.layers,
            aspect: if self.0.format.is_depth_stencil_format() {
                wgt::TextureAspect::DepthOnly
            } else {
                wgt::TextureAspect::All
            },
        })
    }

    /// A view of level `mip` of `layer` (a cube's face), for rendering to.
    ///
    /// # Errors
    /// As [`Texture::view`].
    pub fn target_view(&self, mip: u32, layer: u32) -> Result<TextureView> {
        self.view(&ViewDesc {
            format: None,
            dimension: wgt::TextureViewDimension::D2,
            mips: mip..mip.saturating_add(1),
            layers: layer..layer.saturating_add(1),
            aspect: wgt::TextureAspect::All,
        })
    }

    /// A view. It can be sampled when the texture has `TEXTURE_BINDING` and
    /// the view shows one aspect; it can be an attachment when the texture has
    /// `RENDER_ATTACHMENT` and the view is one level and one layer of all
    /// aspects.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] when ranges, shape, aspect or format do not fit
    /// the texture, or the view could be used for nothing.
    pub fn view(&self, desc: &ViewDesc) -> Result<TextureView> {
        let t = &*self.0;
        let shared = t.raw.shared();
        shared.alive()?;
        if desc.mips.is_empty() || desc.mips.end > t.mips {
            return Err(invalid(format!(
                "view levels {:?} of a texture with {}",
                desc.mips, t.mips
            )));
        }
        if desc.layers.is_empty() || desc.layers.end > t.layers {
            return Err(invalid(format!(
                "view layers {:?} of a texture with {}",
                desc.layers, t.layers
            )));
        }
        let fits = match desc.dimension {
            wgt::TextureViewDimension::D2 => t.kind != TextureKind::D3 && desc.layers.len() == 1,
            wgt::TextureViewDimension::Cube | wgt::TextureViewDimension::D2Array => {
                t.kind == TextureKind::Cube && desc.layers.len() == 6
            }
            wgt::TextureViewDimension::D3 => t.kind == TextureKind::D3,
            _ => false,
        };
        if !fits {
            return Err(invalid(format!("a {:?} view of {self:?}", desc.dimension)));
        }
        let format = desc.format.unwrap_or(t.format);
        if format != t.format && !(t.srgb_views && srgb_twin(t.format) == Some(format)) {
            return Err(invalid(format!("a {format:?} view of {self:?}")));
        }
        let aspects = hal::FormatAspects::new(t.format, desc.aspect);
        if aspects.is_empty() {
            return Err(invalid(format!(
                "aspect {:?} of {:?}",
                desc.aspect, t.format
            )));
        }
        let whole = aspects == hal::FormatAspects::from(t.format);
        let sampled = t.usage.contains(Usages::TEXTURE_BINDING) && aspects.is_one();
        let target = t.usage.contains(Usages::RENDER_ATTACHMENT)
            && whole
            && desc.mips.len() == 1
            && desc.dimension == wgt::TextureViewDimension::D2;
        if !sampled && !target {
            return Err(invalid(format!(
                "{desc:?} of {self:?} could be neither sampled nor rendered to"
            )));
        }
        let mut uses = wgt::TextureUses::empty();
        uses.set(wgt::TextureUses::RESOURCE, sampled);
        uses.set(t.attachment_use(), target);
        let hal_desc = hal::TextureViewDescriptor {
            label: None,
            format,
            dimension: desc.dimension,
            usage: uses,
            range: wgt::ImageSubresourceRange {
                aspect: desc.aspect,
                base_mip_level: desc.mips.start,
                mip_level_count: Some(desc.mips.len() as u32),
                base_array_layer: desc.layers.start,
                array_layer_count: Some(desc.layers.len() as u32),
            },
        };
        // SAFETY: format, shape, ranges and uses were checked against the texture.
        let object = unsafe { shared.device.create_texture_view(t.raw.get(), &hal_desc) };
        let raw = RawView::new(shared, shared.check(object)?);
        Ok(TextureView(Arc::new(ViewInner {
            raw,
            texture: self.clone(),
            format,
            desc: desc.clone(),
            sampled,
            target,
        })))
    }
}

/// A part of a [`Texture`] for shaders to sample or passes to render to.
/// Clones share it; it keeps its texture alive.
#[derive(Clone)]
pub struct TextureView(pub(crate) Arc<ViewInner>);

pub(crate) struct ViewInner {
    // Dropped before the texture it is a view of.
    pub(crate) raw: RawView,
    pub(crate) texture: Texture,
    pub(crate) format: wgt::TextureFormat,
    pub(crate) desc: ViewDesc,
    pub(crate) sampled: bool,
    pub(crate) target: bool,
}

impl std::fmt::Debug for TextureView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextureView")
            .field("texture", &self.0.texture)
            .field("desc", &self.0.desc)
            .finish()
    }
}

impl TextureView {
    /// The texture.
    #[must_use]
    pub fn texture(&self) -> &Texture {
        &self.0.texture
    }

    /// The format that shaders and passes see.
    #[must_use]
    pub fn format(&self) -> wgt::TextureFormat {
        self.0.format
    }

    /// Shape.
    #[must_use]
    pub fn dimension(&self) -> wgt::TextureViewDimension {
        self.0.desc.dimension
    }

    /// Whether both handles are of one view.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
