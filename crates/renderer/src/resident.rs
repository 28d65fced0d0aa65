use ninefold_gpu::BufferDesc;
use ninefold_gpu::types::BufferUsages;

use crate::error::Result;
use crate::renderer::Renderer;

/// A resident buffer of vertices or indices. A clone is another handle to the same buffer.
#[derive(Clone)]
pub struct GeometryBuffer {
    pub(crate) id: u32,
    pub(crate) size: u64,
    pub(crate) buffer: ninefold_gpu::Buffer,
}

impl GeometryBuffer {
    /// A number that no other buffer of this renderer ever has.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }
}

impl Renderer {
    /// The bytes of a resident buffer after everything recorded so far. Waits for the GPU.
    ///
    /// # Errors
    /// `Device` when the device is lost or memory is short.
    pub fn read_buffer(&mut self, buffer: &GeometryBuffer) -> Result<Vec<u8>> {
        let from = &buffer.buffer;
        let to = self.recorder.gpu.create_buffer(&BufferDesc {
            label: "readback",
            size: from.size(),
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        })?;
        let commands = self.recorder.outside_pass()?;
        commands.copy_buffer_to_buffer(from, 0, &to, 0, from.size())?;
        self.wait_idle()?;
        let mut bytes = vec![0; buffer.size() as usize];
        to.read(0, &mut bytes)?;
        Ok(bytes)
    }
}

impl core::fmt::Debug for GeometryBuffer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "GeometryBuffer#{}({} bytes)", self.id, self.size)
    }
}
