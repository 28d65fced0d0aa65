//! What textures and surfaces are made of: levels, their memory, and the image
//! on the GPU.

use ninefold_renderer::{Attachment, Image, ImageDesc, ImageKind, ImageUsage, Renderer, Targets};

use crate::consts::*;
use crate::convert::Convert;
use crate::dirty::Dirty;
use crate::fault::{Fault, Outcome, invalid};
use crate::format::{FormatInfo, kind};
use crate::handle::Weigh;
use crate::hresult::HResult;
use crate::types::Box3;
use crate::user_memory::{Memory, UserMemory};

/// What an application asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Texture,
    Cube,
    Volume,
    RenderTarget,
    DepthStencil,
    OffscreenPlain,
}

/// A lock in force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lock {
    pub(crate) region: Box3,
    pub(crate) flags: u32,
    /// Of `pBits`, from the level's first byte.
    pub(crate) offset: i64,
    /// Bytes from there to the end of the region's last row, as far as they are the level's.
    pub(crate) len: usize,
    /// A device context is out, which counts as a lock.
    pub(crate) dc: bool,
}

/// One level of one face.
#[derive(Debug, Default)]
pub(crate) struct Level {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: u32,
    pub(crate) row_pitch: u32,
    pub(crate) slice_pitch: u32,
    /// Where the level begins in its resource's memory.
    pub(crate) offset: usize,
    /// Something wrote to the level's memory, or may have.
    pub(crate) touched: bool,
    pub(crate) lock: Option<Lock>,
    /// Texels that changed in memory since they were last copied.
    pub(crate) dirty: Dirty,
    /// The GPU's texels are newer than memory.
    pub(crate) gpu_newer: bool,
}

impl Level {
    pub(crate) fn whole(&self) -> Box3 {
        Box3 {
            left: 0,
            top: 0,
            right: self.width,
            bottom: self.height,
            front: 0,
            back: self.depth,
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.slice_pitch as usize * self.depth as usize
    }
}

/// A texture of any kind, or a surface of its own.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) kind: Kind,
    pub(crate) info: &'static FormatInfo,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: u32,
    /// Levels an application can reach; the GPU has the whole chain of an autogen texture.
    pub(crate) levels: u32,
    pub(crate) gpu_levels: u32,
    pub(crate) usage: u32,
    pub(crate) pool: u32,
    pub(crate) multi_sample: u32,
    pub(crate) quality: u32,
    samples: u32,
    pub(crate) lockable: bool,
    /// Face by face, each from its largest level on.
    pub(crate) subs: Vec<Level>,
    /// All levels in D3D9's format, one behind the other: programs walk from one to the next.
    memory: Memory,
    pub(crate) image: Option<Image>,
    /// Another handle to `image`, for the next slot that the texture is bound to.
    pub(crate) spare: Option<Image>,
    /// Some level has a dirty region.
    pub(crate) dirty: bool,
    /// Memory changed since a texture in system memory was last drawn with. Such textures have no
    /// dirty regions for that: theirs are for `UpdateTexture`.
    pub(crate) unseen: bool,
    /// Level 0 of an autogen texture changed since its chain was made.
    pub(crate) mips_stale: bool,
    pub(crate) lod: u32,
    pub(crate) autogen_filter: u32,
    /// Bytes in memory and on the GPU.
    bytes: u64,
    /// Belongs to the device itself: a back buffer or the automatic depth surface.
    pub(crate) internal: bool,
}

/// Everything that makes a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceDesc {
    pub(crate) kind: Kind,
    pub(crate) info: &'static FormatInfo,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: u32,
    pub(crate) levels: u32,
    pub(crate) gpu_levels: u32,
    pub(crate) usage: u32,
    pub(crate) pool: u32,
    pub(crate) multi_sample: u32,
    pub(crate) quality: u32,
    /// Samples that the two stand for.
    pub(crate) samples: u32,
    pub(crate) lockable: bool,
}

/// Bytes of the largest resource that can be made, all levels together: pitches and offsets stay
/// below 2^31, as D3D9's own signed pitches do.
const MAX_BYTES: u64 = i32::MAX as u64;

impl Resource {
    /// # Errors
    /// `D3DERR_OUTOFVIDEOMEMORY` or `E_OUTOFMEMORY`, by pool, for more than 2 GiB.
    pub(crate) fn new(desc: &ResourceDesc) -> Outcome<Self> {
        let row = u64::from(desc.width.div_ceil(desc.info.block[0])) * u64::from(desc.info.bytes);
        // A whole chain takes at most twice its first level, and a row four bytes of padding.
        let level = (row + 3)
            .saturating_mul(desc.info.rows(desc.height).into())
            .saturating_mul(desc.depth.into());
        let faces = if desc.kind == Kind::Cube { 6 } else { 1 };
        if level.saturating_mul(2 * faces) > MAX_BYTES {
            let code = match desc.pool {
                D3DPOOL_DEFAULT | D3DPOOL_MANAGED => HResult::OUTOFVIDEOMEMORY,
                _ => HResult::OUTOFMEMORY,
            };
            let text = format!(
                "size: {} x {} x {} is too large",
                desc.width, desc.height, desc.depth
            );
            return Err(Fault::new(code, text));
        }
        let faces = if desc.kind == Kind::Cube { 6 } else { 1 };
        let mut subs = Vec::with_capacity((faces * desc.levels) as usize);
        let mut offset = 0usize;
        for _ in 0..faces {
            // Faces begin at multiples of 16 bytes, levels where the one before ends.
            offset = offset.next_multiple_of(16);
            for level in 0..desc.levels {
                let width = (desc.width >> level).max(1);
                let height = (desc.height >> level).max(1);
                let depth = (desc.depth >> level).max(1);
                let row_pitch = desc.info.pitch(width);
                let level = Level {
                    width,
                    height,
                    depth,
                    row_pitch,
                    slice_pitch: slice_pitch(desc.info, width, height),
                    offset,
                    ..Level::default()
                };
                offset += level.size();
                subs.push(level);
            }
        }
        let mut resource = Self {
            kind: desc.kind,
            info: desc.info,
            width: desc.width,
            height: desc.height,
            depth: desc.depth,
            levels: desc.levels,
            gpu_levels: desc.gpu_levels,
            usage: desc.usage,
            pool: desc.pool,
            multi_sample: desc.multi_sample,
            quality: desc.quality,
            samples: desc.samples,
            lockable: desc.lockable,
            subs,
            memory: Memory::Own(Vec::new()),
            image: None,
            spare: None,
            dirty: false,
            unseen: true,
            mips_stale: false,
            lod: 0,
            autogen_filter: if desc.usage & D3DUSAGE_AUTOGENMIPMAP != 0 {
                D3DTEXF_LINEAR
            } else {
                D3DTEXF_NONE
            },
            bytes: 0,
            internal: false,
        };
        resource.bytes = resource.weight();
        if resource.records_dirty() {
            // New ones are dirty all over: what is copied first is copied whole.
            resource.mark_all_dirty();
        }
        Ok(resource)
    }

    /// The system copy that locks and reads need, and the image.
    fn weight(&self) -> u64 {
        let memory = self.memory_bytes();
        if self.on_gpu() {
            memory + self.image_bytes()
        } else {
            memory
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.subs.iter().map(|l| l.size() as u64).sum()
    }

    /// What an image takes: as many bytes as memory for formats the GPU holds as they are, four a
    /// texel at least for the others.
    pub(crate) fn image_bytes(&self) -> u64 {
        let memory = self.memory_bytes();
        let wide = match self.info.convert {
            Convert::Copy => 1,
            _ => 4,
        };
        // An automatic chain adds a third to its first level.
        let chain = if self.autogen() { memory / 2 } else { 0 };
        (memory + chain) * wide * u64::from(self.samples())
    }

    /// Counts the image of a texture in system memory, which only draws make.
    pub(crate) fn weigh_image(&mut self) {
        self.bytes = self.memory_bytes() + self.image_bytes();
    }

    /// A level's memory; empty where nothing was ever written.
    pub(crate) fn bytes(&self, sub: u32) -> &[u8] {
        let level = &self.subs[sub as usize];
        let end = level.offset + level.size();
        match level.touched {
            true => self.memory.bytes().get(level.offset..end).unwrap_or(&[]),
            false => &[],
        }
    }

    /// A level's memory, made on first use.
    pub(crate) fn memory(&mut self, sub: u32) -> &mut [u8] {
        let all = self.subs.last().map_or(0, |l| l.offset + l.size());
        let level = &mut self.subs[sub as usize];
        level.touched = true;
        let end = level.offset + level.size();
        &mut self.memory.bytes_mut(all)[level.offset..end]
    }

    /// Takes the program's memory for the only level, rows without padding; says whether it did.
    pub(crate) fn take_memory(
        &mut self,
        memory: impl FnOnce(usize) -> Box<dyn UserMemory>,
    ) -> bool {
        let [level] = &mut self.subs[..] else {
            return false;
        };
        if level.touched || level.lock.is_some() {
            return false;
        }
        let row_pitch = level.width.div_ceil(self.info.block[0]) * self.info.bytes;
        let slice_pitch = row_pitch * self.info.rows(level.height);
        let memory = memory(slice_pitch as usize * level.depth as usize);
        if memory.bytes().len() != slice_pitch as usize * level.depth as usize {
            return false;
        }
        (level.row_pitch, level.slice_pitch) = (row_pitch, slice_pitch);
        level.touched = true;
        self.memory = Memory::User(memory);
        true
    }

    /// Gives the memory back, where no program can hold a pointer to it.
    pub(crate) fn drop_memory(&mut self) {
        self.memory = Memory::Own(Vec::new());
        for level in &mut self.subs {
            level.touched = false;
        }
    }

    /// Whether a device context of one of its surfaces is out.
    pub(crate) fn has_context(&self) -> bool {
        let out = |level: &Level| level.lock.is_some_and(|lock| lock.dc);
        self.subs.iter().any(out)
    }

    pub(crate) fn is_target(&self) -> bool {
        self.kind == Kind::RenderTarget || self.usage & D3DUSAGE_RENDERTARGET != 0
    }

    /// May be drawn into as depth.
    pub(crate) fn is_depth_target(&self) -> bool {
        self.usage & D3DUSAGE_DEPTHSTENCIL != 0
    }

    pub(crate) fn is_depth(&self) -> bool {
        self.info.is_depth()
    }

    /// Whether the GPU has levels that are made from the first.
    pub(crate) fn autogen(&self) -> bool {
        self.usage & D3DUSAGE_AUTOGENMIPMAP != 0 && self.gpu_levels > self.levels
    }

    /// Whether texels are put where a program can reach them only through the resource's memory:
    /// nothing on the GPU changes them.
    pub(crate) fn memory_only(&self) -> bool {
        !self.is_depth() && !self.info.convert.reads_back()
    }

    /// Whether the resource has a place on the GPU.
    pub(crate) fn on_gpu(&self) -> bool {
        matches!(self.pool, D3DPOOL_DEFAULT | D3DPOOL_MANAGED)
    }

    /// Whether it is a texture in memory that the GPU could hold: draws copy what it holds.
    pub(crate) fn drawn_from_memory(&self, caps: &ninefold_renderer::Caps) -> bool {
        matches!(self.pool, D3DPOOL_SYSTEMMEM | D3DPOOL_SCRATCH)
            && matches!(self.kind, Kind::Texture | Kind::Cube | Kind::Volume)
            && self.info.sampled(caps, self.kind == Kind::Volume)
    }

    pub(crate) fn image_kind(&self) -> ImageKind {
        match self.kind {
            Kind::Cube => ImageKind::Cube,
            Kind::Volume => ImageKind::Volume,
            _ => ImageKind::D2,
        }
    }

    /// Level and layer of a sub-resource as the renderer counts them.
    pub(crate) fn place(&self, sub: u32) -> (u32, u32) {
        (sub % self.levels, sub / self.levels)
    }

    /// The image, made on first use.
    pub(crate) fn image(&mut self, renderer: &mut Renderer) -> Outcome<&Image> {
        if self.image.is_none() {
            if !self.on_gpu() && !self.drawn_from_memory(renderer.caps()) {
                invalid!(
                    "a resource of D3DPOOL {} has no place on the GPU",
                    self.pool
                );
            }
            let (format, _) = self.info.on_gpu(renderer.caps(), self.kind == Kind::Volume);
            let mut usage = ImageUsage::SAMPLED;
            if self.is_depth() {
                usage = match self.kind {
                    Kind::DepthStencil => ImageUsage::DEPTH,
                    _ => ImageUsage::DEPTH | ImageUsage::SAMPLED,
                };
            } else if self.is_target()
                || self.autogen()
                || self.kind == Kind::OffscreenPlain && self.info.renders()
            {
                usage = usage | ImageUsage::COLOR;
            }
            let image = renderer.create_image(&ImageDesc {
                kind: self.image_kind(),
                width: self.width,
                height: self.height,
                depth: self.depth,
                levels: self.gpu_levels,
                format,
                samples: self.samples(),
                usage,
            })?;
            // The automatic depth surface begins at the far end, as the renderer's do.
            let zeros = match self.is_depth() {
                true => !self.internal,
                false => usage.contains(ImageUsage::COLOR) && !self.info.opaque(),
            };
            if zeros {
                clear_to_zeros(renderer, &image)?;
            }
            self.image = Some(image);
        }
        self.image
            .as_ref()
            .ok_or_else(|| Fault::new(HResult::OUTOFVIDEOMEMORY, "no image"))
    }

    pub(crate) fn samples(&self) -> u32 {
        self.samples
    }
}

/// Bytes of a slice. Of the formats whose locks tell a byte a texel it is the larger of that and
/// what the blocks take.
fn slice_pitch(info: &FormatInfo, width: u32, height: u32) -> u32 {
    let blocks = info.pitch(width) * info.rows(height);
    if info.has(kind::TEXEL_PITCH) {
        blocks.max(width * height)
    } else {
        blocks
    }
}

impl Weigh for Resource {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// What a new target holds is not documented; programs that forget to clear find zeros.
fn clear_to_zeros(renderer: &mut Renderer, image: &Image) -> Outcome<()> {
    let desc = *image.desc();
    let layers = if desc.kind == ImageKind::Cube { 6 } else { 1 };
    for (layer, level) in (0..layers).flat_map(|f| (0..desc.levels).map(move |l| (f, l))) {
        let attachment = Attachment {
            level,
            layer,
            ..Attachment::new(image.clone())
        };
        let mut targets = Targets::default();
        if desc.format.is_depth() {
            targets.depth = Some(attachment);
            renderer.clear(&targets, &[], None, Some(0.0), Some(0))?;
        } else {
            targets.colors[0] = Some(attachment);
            renderer.clear(&targets, &[], Some([0.0; 4]), None, None)?;
        }
    }
    Ok(())
}
