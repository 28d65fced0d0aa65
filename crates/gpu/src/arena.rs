//! Persistently mapped memory for data that lives for one submission.

use std::ptr::NonNull;
use std::sync::Arc;

use wgpu_types as wgt;
use wgt::BufferUsages as Usages;

use crate::buffer::{self, Buffer, Mapping};
use crate::desc::BufferDesc;
use crate::device::Gpu;
use crate::error::{Result, invalid};

/// What an [`Arena`] shall be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArenaDesc {
    /// Bytes of each pooled buffer.
    pub size: u64,
    /// Most buffers kept for reuse, the one being filled not counted.
    pub pool: usize,
    /// Bytes that lie inside the buffer from every allocation's offset on, so
    /// that a uniform binding of this fixed size may start at any of them.
    pub window: u64,
}

impl Default for ArenaDesc {
    /// 32 MiB, a pool of three, a 4,096-byte window (256 float4 constants).
    fn default() -> Self {
        Self {
            size: 32 << 20,
            pool: 3,
            window: 4096,
        }
    }
}

/// Hands out pieces of persistently mapped buffers for vertices, indices,
/// constants and copy sources.
///
/// An allocation is good for the [`crate::Commands`] that is open when it is made
/// (without one, the next): record its use there. Its bytes may be overwritten
/// once that submission has completed. A buffer that is full is retired to a
/// pool and filled again after the last submission that uses it.
#[derive(Debug)]
pub struct Arena {
    gpu: Gpu,
    desc: ArenaDesc,
    current: Option<Chunk>,
    /// The latest buffer of its own that was handed out.
    dedicated: Option<Chunk>,
    /// Oldest first.
    retired: Vec<(Chunk, u64)>,
    created: usize,
}

/// Memory of an [`Arena`], from [`Arena::piece`].
#[derive(Debug)]
pub struct Piece<'a> {
    /// The buffer it lies in, with uses `VERTEX`, `INDEX`, `UNIFORM`,
    /// `STORAGE` and `COPY_SRC`.
    pub buffer: &'a Buffer,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// Its memory. Write it front to back and do not read it: it may be
    /// uncached.
    pub data: &'a mut [u8],
    serial: u64,
}

impl Piece<'_> {
    /// Names `size` bytes from byte `at` on, as [`Arena::spot`] does. Nothing is read that the
    /// program has just written, so that naming a piece before it is filled waits for nothing.
    #[inline]
    #[must_use]
    pub fn spot(&self, at: u64, size: u64) -> Spot {
        Spot {
            buffer: self.buffer.id(),
            offset: self.offset + at,
            size,
            serial: self.serial,
        }
    }
}

/// A piece's bytes by name, to change what a recorded command will read; see [`Arena::rewrite`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    buffer: u64,
    offset: u64,
    size: u64,
    serial: u64,
}

/// Memory of an [`Arena`] with a buffer handle of its own, from [`Arena::alloc`].
#[derive(Debug)]
pub struct Allocation<'a> {
    /// As [`Piece::buffer`].
    pub buffer: Buffer,
    /// As [`Piece::offset`].
    pub offset: u64,
    /// As [`Piece::data`].
    pub data: &'a mut [u8],
}

struct Chunk {
    buffer: Buffer,
    mapping: Mapping,
    used: u64,
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunk")
            .field("used", &self.used)
            .finish_non_exhaustive()
    }
}

impl Chunk {
    fn new(gpu: &Gpu, size: u64) -> Result<Self> {
        let desc = BufferDesc {
            label: "arena",
            size,
            usage: Usages::VERTEX
                | Usages::INDEX
                | Usages::UNIFORM
                | Usages::STORAGE
                | Usages::COPY_SRC
                | Usages::MAP_WRITE,
        };
        let (inner, mapping) = buffer::create(gpu.shared(), &desc)?;
        let mapping = mapping.ok_or_else(|| invalid("the arena's buffer could not be mapped"))?;
        Ok(Self {
            buffer: Buffer(Arc::new(inner)),
            mapping,
            used: 0,
        })
    }

    /// Where `size` bytes aligned to `align` go, when they and the window fit.
    fn place(&self, size: u64, align: u64, window: u64) -> Option<u64> {
        let offset = self.used.checked_next_multiple_of(align)?;
        let end = offset.checked_add(size.max(window))?;
        (end <= self.buffer.size()).then_some(offset)
    }

    fn pointer(&self, offset: u64) -> NonNull<u8> {
        // SAFETY: callers pass an offset from `place`, inside the mapping.
        unsafe { self.mapping.pointer().add(offset as usize) }
    }
}

impl Arena {
    /// Creates an arena. It allocates its first buffer when first used.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] when the window does not fit the size or the size
    /// the device.
    pub fn new(gpu: &Gpu, desc: ArenaDesc) -> Result<Self> {
        if desc.size == 0 || desc.window > desc.size || desc.size > gpu.caps().max_buffer {
            return Err(invalid(format!(
                "an arena of {} bytes with a window of {}, the largest buffer is {}",
                desc.size,
                desc.window,
                gpu.caps().max_buffer
            )));
        }
        Ok(Self {
            gpu: gpu.clone(),
            desc,
            current: None,
            dedicated: None,
            retired: Vec::new(),
            created: 0,
        })
    }

    /// As [`Arena::piece`], with a handle that can be kept beside the arena. On
    /// the path of a draw prefer a piece: taking and dropping a handle are atomic
    /// operations, which wait for the bytes before them to leave the processor's
    /// write buffers, and that takes long where the memory is the GPU's own.
    ///
    /// # Errors
    /// As [`Arena::piece`].
    #[inline]
    pub fn alloc(&mut self, size: usize, align: u64) -> Result<Allocation<'_>> {
        let Piece {
            buffer,
            offset,
            data,
            ..
        } = self.piece(size, align)?;
        Ok(Allocation {
            buffer: buffer.clone(),
            offset,
            data,
        })
    }

    /// `size` bytes at a multiple of `align` (a power of two, 256 suits every
    /// use). What does not fit an empty pooled buffer gets one of its own, which
    /// is not pooled.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for an alignment that is not a power of two or a
    /// size no buffer can have; [`crate::Error::OutOfMemory`];
    /// [`crate::Error::DeviceLost`].
    #[inline]
    pub fn piece(&mut self, size: usize, align: u64) -> Result<Piece<'_>> {
        if !align.is_power_of_two() {
            return Err(invalid(format!("alignment {align} is not a power of two")));
        }
        let bytes = size as u64;
        let need = bytes.max(self.desc.window);
        if need > self.desc.size {
            return self.dedicated(size, need);
        }
        let window = self.desc.window;
        let place = |chunk: &Chunk| chunk.place(bytes, align, window);
        let offset = match self.current.as_ref().and_then(place) {
            Some(offset) => offset,
            None => {
                self.next_chunk()?;
                0
            }
        };
        let Some(chunk) = &mut self.current else {
            return Err(invalid("the arena has no buffer"));
        };
        chunk.used = offset + bytes;
        let pointer = chunk.pointer(offset);
        Ok(Piece {
            buffer: &chunk.buffer,
            offset,
            serial: self.gpu.shared().current_serial(),
            // SAFETY: `place` keeps `size` bytes from `offset` inside the
            // mapping, which lives as long as the buffer handle beside it.
            // Chunks hand out every byte at most once before they are reset,
            // which needs `&mut self` and so the end of this borrow; `Buffer`
            // itself has no access to an arena's mapping.
            data: unsafe { std::slice::from_raw_parts_mut(pointer.as_ptr(), size) },
        })
    }

    /// Names `size` bytes at `offset` of the buffer with this [`Buffer::id`], all of one piece that
    /// was handed out since the commands were opened.
    #[must_use]
    pub fn spot(&self, buffer: u64, offset: u64, size: u64) -> Spot {
        Spot {
            buffer,
            offset,
            size,
            serial: self.gpu.shared().current_serial(),
        }
    }

    /// Writes `bytes` from byte `at` of a spot on, as if they had been written when the piece was
    /// handed out. `false` when the commands of that time have been submitted: the GPU may be
    /// reading, and nothing is written.
    pub fn rewrite(&mut self, spot: &Spot, at: u64, bytes: &[u8]) -> bool {
        let inside = at
            .checked_add(bytes.len() as u64)
            .is_some_and(|end| end <= spot.size);
        if !inside || spot.serial != self.gpu.shared().current_serial() {
            return false;
        }
        let chunk = self
            .current
            .iter()
            .chain(&self.dedicated)
            .chain(self.retired.iter().map(|(chunk, _)| chunk))
            .find(|chunk| chunk.buffer.id() == spot.buffer);
        let Some(chunk) = chunk else { return false };
        let end = spot.offset.checked_add(spot.size);
        if end.is_none_or(|end| end > chunk.buffer.size()) {
            return false;
        }
        let pointer = chunk.pointer(spot.offset + at);
        // SAFETY: the range lies in the mapping, as checked; `&mut self` means that no slice of it
        // is borrowed; and commands that are not submitted are not being read.
        unsafe { pointer.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
        true
    }

    /// Makes room for `size` bytes, alignment gaps included, and the window after
    /// them: allocations up to that sum come from the buffer that is returned
    /// ([`Buffer::id`] tells whether it is the same as before). Costs a compare
    /// when there is room.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] when `size` and the window are over the arena's
    /// size; as [`Arena::alloc`].
    #[inline]
    pub fn reserve(&mut self, size: u64) -> Result<&Buffer> {
        let room = |chunk: &Chunk| {
            let free = chunk.buffer.0.size - chunk.used;
            size.checked_add(self.desc.window)
                .is_some_and(|need| need <= free)
        };
        if !self.current.as_ref().is_some_and(room) {
            self.make_room(size)?;
        }
        match &self.current {
            Some(chunk) => Ok(&chunk.buffer),
            None => Err(invalid("the arena has no buffer")),
        }
    }

    #[cold]
    fn make_room(&mut self, size: u64) -> Result<()> {
        if size
            .checked_add(self.desc.window)
            .is_none_or(|need| need > self.desc.size)
        {
            return Err(invalid(format!(
                "{size} bytes and a window of {} do not fit an arena of {}",
                self.desc.window, self.desc.size
            )));
        }
        self.next_chunk()
    }

    /// How many pooled buffers were ever created, for tests and statistics.
    #[must_use]
    pub fn created(&self) -> usize {
        self.created
    }

    /// What it was made as.
    #[must_use]
    pub fn desc(&self) -> ArenaDesc {
        self.desc
    }

    #[cold]
    fn dedicated(&mut self, size: usize, need: u64) -> Result<Piece<'_>> {
        let chunk = self.dedicated.insert(Chunk::new(&self.gpu, need)?);
        let pointer = chunk.pointer(0);
        Ok(Piece {
            buffer: &chunk.buffer,
            offset: 0,
            serial: self.gpu.shared().current_serial(),
            // SAFETY: the mapping holds `need >= size` bytes, lives as long as
            // the chunk, which the next `&mut self` call replaces at the
            // earliest, and is handed out this once.
            data: unsafe { std::slice::from_raw_parts_mut(pointer.as_ptr(), size) },
        })
    }

    /// Retires the current chunk and takes a free or new one.
    fn next_chunk(&mut self) -> Result<()> {
        let shared = self.gpu.shared();
        if let Some(chunk) = self.current.take() {
            self.retired.push((chunk, shared.current_serial()));
        }
        let done = |(chunk, serial): &(Chunk, u64)| {
            shared.is_complete((*serial).max(chunk.buffer.0.last_serial()))
        };
        if !self.retired.iter().any(done) {
            shared.update_completed()?;
        }
        if let Some(free) = self.retired.iter().position(done) {
            let (mut chunk, _) = self.retired.remove(free);
            chunk.used = 0;
            self.current = Some(chunk);
        } else {
            self.current = Some(Chunk::new(&self.gpu, self.desc.size)?);
            self.created += 1;
        }
        // Over the pool's size the oldest go; the GPU's own references keep
        // those that it still needs.
        while self.retired.len() > self.desc.pool {
            self.retired.remove(0);
        }
        Ok(())
    }
}
