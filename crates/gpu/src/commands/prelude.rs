//! The prelude: a command buffer that runs before everything recorded in the
//! same [`Commands`]. New textures get their first contents there, and copies
//! into resources that the main command buffer has not used yet, so that
//! neither ends a pass.

use std::sync::Weak;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::state::{States, first_state};
use super::{Commands, pass};
use crate::buffer::Buffer;
use crate::desc::{Initial, TextureKind};
use crate::error::Result;
use crate::shared::{Encoder, Shared};
use crate::texture::{Texture, TextureInner};

/// Bytes of zeros that new textures are filled from.
pub(crate) const ZEROS: u64 = 1 << 20;

#[derive(Default)]
pub(super) struct Prelude {
    encoder: Option<Encoder>,
    states: States,
    /// Textures whose first contents are recorded here.
    born: Vec<Weak<TextureInner>>,
}

impl Prelude {
    pub(super) fn take_encoder(&mut self) -> Option<Encoder> {
        self.encoder.take()
    }

    /// The commands were submitted: what is recorded here happens.
    pub(super) fn submitted(&mut self) {
        self.born.clear();
    }

    /// The commands are thrown away: their new textures are new again.
    pub(super) fn forget(&mut self, shared: &Shared) {
        shared.newborn.lock().append(&mut self.born);
    }

    pub(super) fn parts(&mut self) -> Option<(&mut dyn hal::DynCommandEncoder, &mut States)> {
        match &mut self.encoder {
            Some(encoder) => Some((&mut **encoder, &mut self.states)),
            None => None,
        }
    }
}

impl Commands {
    /// Opens the prelude and records the first contents of all new textures.
    pub(super) fn open_prelude(&mut self) -> Result<()> {
        if self.prelude.encoder.is_none() {
            self.prelude.encoder = Some(self.shared().begin_encoder()?);
        }
        loop {
            let next = self.shared().newborn.lock().pop();
            let Some(weak) = next else { return Ok(()) };
            let Some(inner) = weak.upgrade() else {
                continue;
            };
            self.prelude.born.push(weak);
            if let Err(error) = self.give_birth(&Texture(inner)) {
                self.failed = Some(error.clone());
                return Err(error);
            }
        }
    }

    /// Ends the prelude, recording what is left to do there.
    pub(super) fn finish_prelude(&mut self) -> Result<()> {
        if !self.shared().newborn.lock().is_empty() {
            self.open_prelude()?;
        }
        if let Some((encoder, states)) = self.prelude.parts() {
            states.rest(encoder, |_, _| false);
        }
        Ok(())
    }

    /// Records the first contents of `texture`.
    fn give_birth(&mut self, texture: &Texture) -> Result<()> {
        self.keep(&texture.0);
        let t = &*texture.0;
        if t.initial == Initial::Undefined {
            if let Some((encoder, _)) = self.prelude.parts() {
                first_state(encoder, texture, t.rest());
            }
        } else if t.format.is_depth_stencil_format() || t.samples > 1 {
            self.clear_by_passes(texture)?;
        } else {
            self.clear_by_copies(texture)?;
        }
        Ok(())
    }

    fn clear_by_passes(&mut self, texture: &Texture) -> Result<()> {
        let t = &*texture.0;
        let state = t.attachment_use();
        let shared = self.shared().clone();
        if let Some((encoder, states)) = self.prelude.parts() {
            first_state(encoder, texture, state);
            states.note_whole(texture, state);
        }
        for (mip, layer) in (0..t.mips).flat_map(|mip| (0..t.layers).map(move |layer| (mip, layer)))
        {
            let view = texture.target_view(mip, layer)?;
            self.kept.push(view.0.clone());
            if let Some((encoder, _)) = self.prelude.parts() {
                pass::clear_pass(&shared, encoder, &view)?;
            }
        }
        Ok(())
    }

    fn clear_by_copies(&mut self, texture: &Texture) -> Result<()> {
        let zeros: Buffer = self.gpu.zeros()?;
        self.keep_buffer(&zeros);
        let t = &*texture.0;
        let Some((encoder, states)) = self.prelude.parts() else {
            return Ok(());
        };
        first_state(encoder, texture, wgt::TextureUses::COPY_DST);
        states.note_whole(texture, wgt::TextureUses::COPY_DST);
        let (block_w, block_h) = t.format.block_dimensions();
        let block_bytes = t.format.block_copy_size(None).unwrap_or(16);
        let pitch_step = t.raw.shared().caps.copy_pitch_alignment.max(1);
        let mut regions = Vec::new();
        for mip in 0..t.mips {
            let [width, height, depth] = t.mip_size(mip);
            let (width, height) = (
                width.next_multiple_of(block_w),
                height.next_multiple_of(block_h),
            );
            let pitch =
                (width / block_w * block_bytes).next_multiple_of(lcm(pitch_step, block_bytes));
            let rows_at_once = ((ZEROS / u64::from(pitch)) as u32).max(1) * block_h;
            for (layer, z) in (0..t.layers).flat_map(|layer| (0..depth).map(move |z| (layer, z))) {
                let mut y = 0;
                while y < height {
                    let rows = rows_at_once.min(height - y);
                    regions.push(hal::BufferTextureCopy {
                        buffer_layout: wgt::TexelCopyBufferLayout {
                            offset: 0,
                            bytes_per_row: Some(pitch),
                            rows_per_image: None,
                        },
                        texture_base: hal::TextureCopyBase {
                            mip_level: mip,
                            array_layer: layer,
                            origin: wgt::Origin3d { x: 0, y, z },
                            aspect: hal::FormatAspects::COLOR,
                        },
                        size: hal::CopyExtent {
                            width,
                            height: rows,
                            depth: 1,
                        },
                    });
                    y += rows;
                }
            }
        }
        debug_assert!(t.kind != TextureKind::D3 || t.layers == 1);
        // SAFETY: the texture is in the copy state, the regions tile its levels,
        // a row of the widest texture (16,384 texels of 16 bytes) fits the zeros,
        // and both resources are kept.
        unsafe { encoder.copy_buffer_to_texture(zeros.0.raw.get(), t.raw.get(), &regions) };
        Ok(())
    }

    /// Whether a copy from `from` into a resource last touched by `touched` may
    /// run before everything recorded here: the bytes are the program's, and the
    /// main command buffer has not used the target.
    pub(super) fn may_run_early(
        &self,
        from: &Buffer,
        touched: &std::sync::atomic::AtomicU64,
    ) -> bool {
        is_upload(from) && touched.load(std::sync::atomic::Ordering::Relaxed) != self.serial
    }
}

/// Whether the program alone writes the bytes of `buffer`.
pub(super) fn is_upload(buffer: &Buffer) -> bool {
    use wgt::BufferUsages as U;
    let usage = buffer.0.usage;
    usage.contains(U::MAP_WRITE) && !usage.intersects(U::COPY_DST | U::QUERY_RESOLVE)
}

/// The least common multiple of two numbers that are not 0.
fn lcm(a: u32, b: u32) -> u32 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

impl crate::device::Gpu {
    /// A buffer of [`ZEROS`] zero bytes.
    fn zeros(&self) -> Result<Buffer> {
        self.internal_buffer(|| crate::desc::BufferDesc {
            label: "zeros",
            size: ZEROS,
            usage: wgt::BufferUsages::COPY_SRC | wgt::BufferUsages::MAP_WRITE,
        })
    }
}
