//! Reading results back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wgpu_types as wgt;

use crate::buffer::Buffer;
use crate::desc::Region;
use crate::device::{FenceValue, Gpu};
use crate::error::{Error, Result};
use crate::texture::Texture;

/// Results on their way back to the program, made by
/// [`crate::Commands::read_texture`] and [`crate::Commands::read_queries`].
#[derive(Debug)]
pub struct Readback {
    pub(crate) gpu: Gpu,
    pub(crate) buffer: Buffer,
    pub(crate) serial: u64,
    /// Set when the commands are submitted.
    pub(crate) submitted: Arc<AtomicBool>,
    /// Bytes of a row of blocks as the program gets them.
    pub(crate) row: usize,
    /// Bytes from one row to the next in the buffer.
    pub(crate) pitch: usize,
    pub(crate) rows: usize,
}

impl Readback {
    /// The submission to wait for.
    #[must_use]
    pub fn fence(&self) -> FenceValue {
        FenceValue(self.serial)
    }

    /// Whether [`Readback::wait`] would not block.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn is_ready(&self) -> Result<bool> {
        Ok(self.submitted.load(Ordering::Acquire) && self.gpu.is_complete(self.fence())?)
    }

    /// Waits for the submission and returns the bytes, rows tightly packed.
    ///
    /// # Errors
    /// [`Error::State`] when the commands were not submitted;
    /// [`Error::DeviceLost`].
    pub fn wait(self) -> Result<Vec<u8>> {
        if !self.submitted.load(Ordering::Acquire) {
            return Err(Error::State(
                "reading results of commands that were not submitted",
            ));
        }
        self.gpu.wait(self.fence(), None)?;
        let mut bytes = vec![0; self.row * self.rows];
        if self.row == self.pitch {
            self.buffer.read(0, &mut bytes)?;
        } else if self.row > 0 {
            for (n, row) in bytes.chunks_exact_mut(self.row).enumerate() {
                self.buffer.read((n * self.pitch) as u64, row)?;
            }
        }
        Ok(bytes)
    }

    /// As [`Readback::wait`], for [`crate::Commands::read_queries`]: how many
    /// samples passed, for each query.
    ///
    /// # Errors
    /// As [`Readback::wait`].
    pub fn wait_counts(self) -> Result<Vec<u64>> {
        let bytes = self.wait()?;
        Ok(bytes
            .chunks_exact(8)
            .map(|eight| u64::from_le_bytes(eight.try_into().expect("chunks of 8")))
            .collect())
    }
}

impl Gpu {
    /// Reads level `mip` of `layer` (a cube's face; 0 otherwise) of `texture`:
    /// records, submits and waits. Rows are tightly packed, slices of a volume
    /// follow one another. Depth-stencil textures give their depth.
    ///
    /// # Errors
    /// [`Error::State`] while a [`crate::Commands`] is open: submit it first, or use
    /// [`crate::Commands::read_texture`]; [`Error::Invalid`] for a texture without
    /// `COPY_SRC` and levels or layers it does not have;
    /// [`Error::DeviceLost`].
    pub fn read_texture(&self, texture: &Texture, mip: u32, layer: u32) -> Result<Vec<u8>> {
        let mut commands = self.begin()?;
        let readback = commands.read_texture(texture, &Region::whole(texture, mip, layer))?;
        commands.submit()?;
        readback.wait()
    }
}

impl Region {
    /// All of level `mip` of `layer`; of depth-stencil textures the depth.
    #[must_use]
    pub fn whole(texture: &Texture, mip: u32, layer: u32) -> Self {
        Self {
            mip,
            layer,
            origin: [0; 3],
            size: texture.mip_size(mip),
            aspect: if texture.format().is_depth_stencil_format() {
                wgt::TextureAspect::DepthOnly
            } else {
                wgt::TextureAspect::All
            },
        }
    }
}
