use std::sync::Arc;

use ninefold_gpu::types::BufferUsages;
use ninefold_gpu::{Buffer, BufferDesc};

use crate::error::{Error, Result};
use crate::renderer::Renderer;
use crate::slabs::Room;

pub(crate) const USAGE: BufferUsages = BufferUsages::VERTEX
    .union(BufferUsages::INDEX)
    .union(BufferUsages::COPY_SRC)
    .union(BufferUsages::COPY_DST);

/// A resident buffer of vertices or indices. A clone is another handle to the same buffer.
#[derive(Clone)]
pub struct GeometryBuffer {
    pub(crate) id: u32,
    pub(crate) size: u64,
    /// The GPU's buffer, a number that no other has, and where in it this one begins.
    pub(crate) buffer: Buffer,
    pub(crate) whole: u32,
    pub(crate) start: u64,
    room: Option<Arc<Room>>,
}

impl GeometryBuffer {
    /// Whether its memory is shared.
    #[inline]
    pub(crate) fn shares(&self) -> bool {
        self.room.is_some()
    }

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
    /// Makes a resident buffer of vertices or indices.
    ///
    /// # Errors
    /// `Args` for size 0 or more than the device allows, `Device` when memory is short.
    pub fn create_buffer(&mut self, size: u64) -> Result<GeometryBuffer> {
        let buffer = self.recorder.gpu.create_buffer(&BufferDesc {
            label: "geometry",
            // Copies go in multiples of 4.
            size: size.next_multiple_of(4),
            usage: USAGE,
        })?;
        let id = self.new_id()?;
        Ok(GeometryBuffer {
            id,
            size,
            buffer,
            whole: id,
            start: 0,
            room: None,
        })
    }

    /// Makes a resident buffer of vertices or indices that holds `bytes`. Small ones share memory with
    /// others: as vertices they are no good for resident indices that reach past their end, and for
    /// draws that wrap texture coordinates.
    ///
    /// # Errors
    /// As [`Renderer::create_buffer`].
    pub fn create_copy(&mut self, bytes: &[u8]) -> Result<GeometryBuffer> {
        let size = bytes.len() as u64;
        let id = self.new_id()?;
        let room = match size {
            0 => None,
            _ => self.slabs.room(&self.recorder.gpu, size, id)?,
        };
        let Some(room) = room else {
            let buffer = self.create_buffer(size)?;
            self.write_buffer(&buffer, 0, bytes)?;
            return Ok(buffer);
        };
        let copy = GeometryBuffer {
            id,
            size,
            buffer: room.slab.buffer.clone(),
            whole: room.slab.id,
            start: room.start,
            room: Some(Arc::new(room)),
        };
        self.make_room()?;
        let (from, at, len) = self.stage(bytes)?;
        let commands = self.recorder.commands()?;
        commands.copy_to_unused_range(&from, at, &copy.buffer, copy.start, len)?;
        Ok(copy)
    }

    /// Overwrites bytes of a resident buffer, ordered after earlier draws and before later ones.
    ///
    /// # Errors
    /// `Bounds` for bytes past the end, `Args` when `offset` is not a multiple of 4, or the length
    /// is not and does not reach the buffer's end.
    pub fn write_buffer(
        &mut self,
        buffer: &GeometryBuffer,
        offset: u64,
        data: &[u8],
    ) -> Result<()> {
        let end = offset
            .checked_add(data.len() as u64)
            .filter(|&end| end <= buffer.size());
        let Some(end) = end else {
            return Err(Error::bounds(format!(
                "{} bytes at {offset} of a buffer of {}",
                data.len(),
                buffer.size()
            )));
        };
        if !offset.is_multiple_of(4) || (!data.len().is_multiple_of(4) && end != buffer.size()) {
            return Err(Error::args(format!(
                "{} bytes at {offset} are not whole words of 4 bytes",
                data.len()
            )));
        }
        if data.is_empty() {
            return Ok(());
        }
        self.make_room()?;
        let (from, at, size) = self.stage(data)?;
        let (to, offset) = (&buffer.buffer, buffer.start + offset);
        let commands = self.recorder.commands()?;
        match commands.copy_buffer_to_buffer(&from, at, to, offset, size) {
            Err(ninefold_gpu::Error::State(_)) if commands.in_pass() => {}
            other => return Ok(other?),
        }
        let commands = self.recorder.outside_pass()?;
        Ok(commands.copy_buffer_to_buffer(&from, at, to, offset, size)?)
    }

    /// Bytes in the arena, filled up to whole words: where they are and how many.
    fn stage(&mut self, data: &[u8]) -> Result<(Buffer, u64, u64)> {
        let size = data.len().next_multiple_of(4);
        let allocation = self.recorder.arena.alloc(size, 256)?;
        allocation.data[..data.len()].copy_from_slice(data);
        allocation.data[data.len()..].fill(0);
        let (from, at) = (allocation.buffer, allocation.offset);
        self.recorder.count_bytes(size as u64);
        Ok((from, at, size as u64))
    }

    /// The bytes of a resident buffer after everything recorded so far. Waits for the GPU.
    ///
    /// # Errors
    /// `Device` when the device is lost or memory is short.
    pub fn read_buffer(&mut self, buffer: &GeometryBuffer) -> Result<Vec<u8>> {
        let size = buffer.size().next_multiple_of(4);
        let to = self.recorder.gpu.create_buffer(&BufferDesc {
            label: "readback",
            size,
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        })?;
        let commands = self.recorder.outside_pass()?;
        commands.copy_buffer_to_buffer(&buffer.buffer, buffer.start, &to, 0, size)?;
        self.wait_idle()?;
        let mut bytes = vec![0; buffer.size() as usize];
        to.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Bytes of the memory that small copies share, and of those copies.
    pub fn shared_copy_bytes(&self) -> (u64, u64) {
        self.slabs.bytes()
    }
}

impl core::fmt::Debug for GeometryBuffer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "GeometryBuffer#{}({} bytes)", self.id, self.size)
    }
}
