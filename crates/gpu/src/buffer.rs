//! Buffers.

use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use wgpu_hal as hal;
use wgpu_types as wgt;
use wgt::BufferUsages as Usages;

use crate::desc::BufferDesc;
use crate::device::{FenceValue, Gpu};
use crate::error::{Error, Result, invalid};
use crate::raw::RawBuffer;
use crate::shared::Shared;

/// The uses this crate knows.
const ALL_USES: Usages = Usages::VERTEX
    .union(Usages::INDEX)
    .union(Usages::UNIFORM)
    .union(Usages::STORAGE)
    .union(Usages::COPY_SRC)
    .union(Usages::COPY_DST)
    .union(Usages::QUERY_RESOLVE)
    .union(Usages::MAP_READ)
    .union(Usages::MAP_WRITE);

/// GPU memory for vertices, indices, constants or copies. Clones share it.
///
/// The memory is freed when the last handle is gone and the GPU has finished
/// the last submission that uses it.
#[derive(Clone)]
pub struct Buffer(pub(crate) Arc<BufferInner>);

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Buffer")
            .field("size", &self.0.size)
            .field("usage", &self.0.usage)
            .finish()
    }
}

pub(crate) struct BufferInner {
    pub(crate) raw: RawBuffer,
    pub(crate) size: u64,
    pub(crate) usage: Usages,
    id: u64,
    /// The persistent mapping; the lock orders the program's own accesses.
    /// `None` for buffers without one and for those of an arena, which alone
    /// writes through its pointer.
    mapping: Option<Mutex<Mapping>>,
    mapped: bool,
    pub(crate) coherent: bool,
    /// The last [`crate::Commands`] whose list of kept resources holds this.
    pub(crate) kept: AtomicU64,
    /// The last [`crate::Commands`] whose main command buffer uses this.
    pub(crate) touched: AtomicU64,
}

pub(crate) struct Mapping(NonNull<u8>);

// SAFETY: the pointer is to memory that stays mapped, at the same address in
// every thread, until the buffer is dropped.
unsafe impl Send for Mapping {}

impl Mapping {
    pub(crate) fn pointer(&self) -> NonNull<u8> {
        self.0
    }
}

impl Drop for BufferInner {
    fn drop(&mut self) {
        if self.mapped {
            // SAFETY: the buffer is mapped, and with it goes the last access
            // to the pointer.
            unsafe { self.raw.shared().device.unmap_buffer(self.raw.get()) };
        }
    }
}

impl BufferInner {
    /// The uses between copies into it: every one that reads.
    pub(crate) fn rest(&self) -> wgt::BufferUses {
        use wgt::BufferUses as B;
        let mut uses = B::empty();
        for (usage, read) in [
            (Usages::VERTEX, B::VERTEX),
            (Usages::INDEX, B::INDEX),
            (Usages::UNIFORM, B::UNIFORM),
            (Usages::STORAGE, B::STORAGE_READ_ONLY),
            (Usages::COPY_SRC, B::COPY_SRC),
            (Usages::MAP_READ, B::MAP_READ),
        ] {
            uses.set(read, self.usage.contains(usage));
        }
        uses
    }
}

impl Gpu {
    /// Creates a buffer. Mapped buffers start zero-filled; the contents of
    /// others are undefined until a copy writes them.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a size of 0 or over [`crate::Caps::max_buffer`] and
    /// for uses this crate does not know; [`Error::OutOfMemory`];
    /// [`Error::DeviceLost`].
    pub fn create_buffer(&self, desc: &BufferDesc<'_>) -> Result<Buffer> {
        let (inner, mapping) = create(self.shared(), desc)?;
        let mut inner = inner;
        if let Some(mapping) = mapping {
            // SAFETY: the mapping covers `size` bytes and nothing else uses it yet.
            unsafe { mapping.pointer().write_bytes(0, desc.size as usize) };
            inner.mapping = Some(Mutex::new(mapping));
        }
        let buffer = Buffer(Arc::new(inner));
        buffer.0.flush(0..buffer.0.size);
        Ok(buffer)
    }
}

/// Creates a buffer and hands its mapping, when it has one, to the caller.
pub(crate) fn create(
    shared: &Arc<Shared>,
    desc: &BufferDesc<'_>,
) -> Result<(BufferInner, Option<Mapping>)> {
    shared.alive()?;
    if desc.size == 0 || desc.size > shared.caps.max_buffer {
        return Err(invalid(format!(
            "buffer size {} must be 1 to {} bytes",
            desc.size, shared.caps.max_buffer
        )));
    }
    if !ALL_USES.contains(desc.usage) || desc.usage.is_empty() {
        return Err(invalid(format!(
            "buffer usage {:?} must be of {ALL_USES:?}",
            desc.usage
        )));
    }
    use wgt::BufferUses as B;
    let mut uses = B::empty();
    for (usage, raw) in [
        (Usages::VERTEX, B::VERTEX),
        (Usages::INDEX, B::INDEX),
        (Usages::UNIFORM, B::UNIFORM),
        (Usages::STORAGE, B::STORAGE_READ_ONLY),
        (Usages::COPY_SRC, B::COPY_SRC),
        (Usages::COPY_DST, B::COPY_DST),
        (Usages::QUERY_RESOLVE, B::COPY_DST),
        (Usages::QUERY_RESOLVE, B::QUERY_RESOLVE),
        (Usages::MAP_READ, B::MAP_READ),
        (Usages::MAP_WRITE, B::MAP_WRITE),
    ] {
        if desc.usage.contains(usage) {
            uses |= raw;
        }
    }
    let hal_desc = hal::BufferDescriptor {
        label: Some(desc.label),
        size: desc.size,
        usage: uses,
        memory_flags: hal::MemoryFlags::PREFER_COHERENT,
    };
    // SAFETY: the size is in the device's limits and the uses are known ones.
    let object = shared.check(unsafe { shared.device.create_buffer(&hal_desc) })?;
    let raw = RawBuffer::new(shared, object);
    let (mut mapping, mut coherent) = (None, true);
    if desc.usage.intersects(Usages::MAP_READ | Usages::MAP_WRITE) {
        // SAFETY: the buffer was created with a `MAP_` use, the range is all
        // of it, and it is not mapped yet.
        let map = shared.check(unsafe { shared.device.map_buffer(raw.get(), 0..desc.size) })?;
        coherent = map.is_coherent;
        mapping = Some(Mapping(map.ptr));
    }
    let inner = BufferInner {
        raw,
        size: desc.size,
        usage: desc.usage,
        id: shared.new_id(),
        mapped: mapping.is_some(),
        mapping: None,
        coherent,
        kept: AtomicU64::new(0),
        touched: AtomicU64::new(0),
    };
    Ok((inner, mapping))
}

impl BufferInner {
    /// Makes program writes visible to submissions that follow.
    pub(crate) fn flush(&self, range: std::ops::Range<u64>) {
        if self.mapped && !self.coherent {
            // SAFETY: the buffer is mapped and callers pass ranges inside it.
            unsafe {
                self.raw
                    .shared()
                    .device
                    .flush_mapped_ranges(self.raw.get(), &[range]);
            }
        }
    }

    fn in_range(&self, offset: u64, len: usize, what: &str) -> Result<()> {
        let end = offset.checked_add(len as u64);
        if end.is_none_or(|end| end > self.size) {
            return Err(invalid(format!(
                "{what} of {len} bytes at offset {offset} leaves the buffer of {} bytes",
                self.size
            )));
        }
        Ok(())
    }

    pub(crate) fn last_serial(&self) -> u64 {
        self.kept
            .load(Ordering::Acquire)
            .max(self.touched.load(Ordering::Acquire))
    }
}

impl Buffer {
    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// What it may be used for.
    #[must_use]
    pub fn usage(&self) -> Usages {
        self.0.usage
    }

    /// A number that no other buffer of the process has or will have.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Writes `bytes` at `offset` of a `MAP_WRITE` buffer, at once
    /// (`D3DLOCK_NOOVERWRITE`: work that is still pending may see either the
    /// old or the new bytes; see [`Buffer::last_use`] for waiting first).
    ///
    /// # Errors
    /// [`Error::Invalid`] when the bytes leave the buffer; [`Error::State`]
    /// when it is not a mapped buffer or belongs to an [`crate::Arena`].
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mapping = self.mapping(Usages::MAP_WRITE)?.lock();
        self.0.in_range(offset, bytes.len(), "a write")?;
        // SAFETY: the range is inside the mapping, `bytes` is the program's own
        // memory, and the lock keeps the program's other accesses out.
        unsafe {
            let to = mapping.pointer().as_ptr().add(offset as usize);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        drop(mapping);
        self.0.flush(offset..offset + bytes.len() as u64);
        Ok(())
    }

    /// Copies bytes at `offset` of a `MAP_READ` or `MAP_WRITE` buffer into
    /// `bytes`. What the GPU writes is there once the submission has completed.
    ///
    /// # Errors
    /// As [`Buffer::write`].
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let mapping = self.mapping(Usages::MAP_READ | Usages::MAP_WRITE)?.lock();
        self.0.in_range(offset, bytes.len(), "a read")?;
        if !self.0.coherent && !bytes.is_empty() {
            let range = offset..offset + bytes.len() as u64;
            // SAFETY: the buffer is mapped and the range is inside it.
            unsafe {
                let device = &self.0.raw.shared().device;
                device.invalidate_mapped_ranges(self.0.raw.get(), &[range]);
            }
        }
        // SAFETY: as in `write`, the other way round.
        unsafe {
            let from = mapping.pointer().as_ptr().add(offset as usize);
            from.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }

    /// The last commands that use this buffer, `None` before the first. Wait
    /// for it before overwriting what those read.
    #[must_use]
    pub fn last_use(&self) -> Option<FenceValue> {
        let serial = self.0.last_serial();
        (serial != 0).then_some(FenceValue(serial))
    }

    /// Whether both handles are of one buffer.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn mapping(&self, any_of: Usages) -> Result<&Mutex<Mapping>> {
        match &self.0.mapping {
            Some(mapping) if self.0.usage.intersects(any_of) => Ok(mapping),
            Some(_) => Err(Error::State("the buffer is not mapped for this access")),
            None => Err(Error::State(
                "the buffer is not mapped, or belongs to an arena",
            )),
        }
    }
}
