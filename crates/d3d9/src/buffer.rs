//! Vertex and index buffers.

use ninefold_renderer::{Copied, GeometryBuffer, Renderer};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::handle::{IndexBufferHandle, RawHandle, Slots, VertexBufferHandle, Weigh};
use crate::hresult::{HResult, Result};
use crate::residency::{Found, Ledger, Residency};
use crate::trace::LockKey;
use crate::types::{BufferDesc, LockedBuffer};

/// Bytes of the largest buffer that can be made.
const MAX_BUFFER: u32 = 1 << 28;

/// A vertex or index buffer.
#[derive(Debug)]
pub(crate) struct Buffer {
    pub(crate) desc: BufferDesc,
    pub(crate) data: Vec<u8>,
    /// Locks in force; buffers may be locked more than once.
    locks: u32,
    locked: (usize, usize),
    /// Of buffers that programs write to while they are drawn. Apart, so that a draw from another
    /// finds what it needs close together.
    streaming: Option<Box<Streaming>>,
    /// Its copy on the GPU.
    pub(crate) residency: Residency<GeometryBuffer>,
}

#[derive(Debug, Default)]
struct Streaming {
    /// The lock promised not to change what draws read, so that nothing keeps the two apart.
    unsynchronised: bool,
    /// What the last draw reads, and where that begins in the buffer.
    drawn: Option<(Copied, usize)>,
}

/// Draws that read fewer bytes are over when they return, whatever a lock promises.
const LEAST_REWRITE: usize = 256;

impl Buffer {
    fn new(desc: BufferDesc) -> Self {
        let dynamic = desc.usage & D3DUSAGE_DYNAMIC != 0;
        // Whole words, so that indices can be read as numbers in place.
        Self {
            desc,
            data: vec![0; desc.size as usize],
            locks: 0,
            locked: (0, 0),
            streaming: (dynamic && desc.pool == D3DPOOL_DEFAULT).then(Box::default),
            residency: Residency::new(dynamic),
        }
    }

    /// Whether programs write to it while it is drawn.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.streaming.is_some()
    }

    /// All bytes, locked or not.
    pub(crate) fn whole(&self) -> &[u8] {
        &self.data
    }

    /// Notes what a draw reads, beginning at this address of the buffer's memory.
    pub(crate) fn drawn(&mut self, copy: &Copied, address: usize) {
        let start = address.wrapping_sub(self.data.as_ptr().addr()) + copy.start;
        if let Some(streaming) = &mut self.streaming {
            streaming.drawn = (copy.len >= LEAST_REWRITE).then_some((*copy, start));
        }
    }

    /// The bytes are about to be written, or were.
    pub(crate) fn changed(&mut self) {
        self.residency.changed();
    }

    /// Looks for a copy on the GPU of `len` bytes from `start` on, which the buffer has.
    #[inline]
    pub(crate) fn resident(
        &self,
        start: usize,
        len: usize,
        ledger: &Ledger,
    ) -> Found<'_, GeometryBuffer> {
        if self.locks != 0 {
            return Found::Nothing;
        }
        self.residency.find(&self.data, start, len, ledger)
    }

    /// Makes a copy on the GPU, or gives one up.
    #[cold]
    pub(crate) fn renew(
        &mut self,
        name: &dyn core::fmt::Debug,
        renderer: &mut Renderer,
        ledger: &mut Ledger,
    ) {
        self.residency.renew(&self.data, name, renderer, ledger);
    }

    /// Flags are hints here, because memory is never lost or in use, but for one.
    fn lock(&mut self, offset: u32, size: u32, flags: u32) -> Outcome<LockedBuffer> {
        let Some(left) = self.desc.size.checked_sub(offset) else {
            invalid!(
                "offset: {offset} lies out of a buffer of {}",
                self.desc.size
            );
        };
        let len = if size == 0 { left } else { size.min(left) };
        self.locks += 1;
        match flags & (D3DLOCK_NOOVERWRITE | D3DLOCK_DISCARD) {
            0 => self.residency.changed(),
            _ => self.residency.refuse(),
        }
        if let Some(streaming) = &mut self.streaming {
            streaming.unsynchronised = flags & D3DLOCK_NOOVERWRITE != 0;
        }
        self.locked = (offset as usize, len as usize);
        Ok(LockedBuffer {
            offset: offset as usize,
            len: len as usize,
        })
    }

    fn unlock(&mut self) {
        self.locks = self.locks.saturating_sub(1);
        self.residency.changed();
    }

    /// Brings what was written under `D3DLOCK_NOOVERWRITE` to the last draw, as it gets there where
    /// the GPU reads the memory that programs write. Those that keep the promise see no difference.
    fn show(&mut self, renderer: &mut Renderer) {
        // By reference: what the last draw noted is not read but for what is compared.
        let Some(streaming) = &mut self.streaming else {
            return;
        };
        let Some((copy, start)) = &streaming.drawn else {
            return;
        };
        if !streaming.unsynchronised {
            return;
        }
        let (offset, len) = self.locked;
        let from = offset.max(*start);
        let to = (offset + len).min(start + copy.len);
        if from < to && !renderer.rewrite(copy, from - start, &self.data[from..to]) {
            streaming.drawn = None;
        }
    }

    fn bytes(&mut self) -> Outcome<&mut [u8]> {
        if self.locks == 0 {
            invalid!("buffer: not locked");
        }
        let (offset, len) = self.locked;
        Ok(&mut self.data[offset..offset + len])
    }
}

impl Weigh for BufferDesc {
    fn bytes(&self) -> u64 {
        self.size.into()
    }
}

impl Weigh for Buffer {
    fn bytes(&self) -> u64 {
        self.desc.bytes()
    }
}

impl Device {
    /// `CreateVertexBuffer`: `length` in bytes; `fvf` may be 0.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for length 0 or above 256 MiB, an unknown or scratch pool, the managed
    /// pool of an extended device, and the usages of targets.
    pub fn create_vertex_buffer(
        &mut self,
        length: u32,
        usage: u32,
        fvf: u32,
        pool: u32,
    ) -> Result<VertexBufferHandle> {
        self.recorded(
            |r, x| r.create_vertex_buffer(x, length, usage, fvf, pool),
            |d| {
                d.check_buffer(length, usage, pool)?;
                let desc = BufferDesc {
                    format: D3DFMT_VERTEXDATA,
                    usage,
                    pool,
                    size: length,
                    fvf,
                };
                d.check_budget(&desc, pool != D3DPOOL_SYSTEMMEM)?;
                Ok(VertexBufferHandle(d.vertex_buffers.insert(
                    Buffer::new(desc),
                    1,
                    0,
                )))
            },
        )
    }

    /// `CreateIndexBuffer`: `format` is `D3DFMT_INDEX16` or `D3DFMT_INDEX32`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` as for vertex buffers, and for any other format.
    pub fn create_index_buffer(
        &mut self,
        length: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<IndexBufferHandle> {
        self.recorded(
            |r, x| r.create_index_buffer(x, length, usage, format, pool),
            |d| {
                d.check_buffer(length, usage, pool)?;
                index_size(format)?;
                let desc = BufferDesc {
                    format,
                    usage,
                    pool,
                    size: length,
                    fvf: 0,
                };
                d.check_budget(&desc, pool != D3DPOOL_SYSTEMMEM)?;
                Ok(IndexBufferHandle(d.index_buffers.insert(
                    Buffer::new(desc),
                    1,
                    0,
                )))
            },
        )
    }

    fn check_buffer(&self, length: u32, usage: u32, pool: u32) -> Outcome<()> {
        if length == 0 || length > MAX_BUFFER {
            invalid!("length: {length} bytes, must be 1 to {MAX_BUFFER}");
        }
        if pool > D3DPOOL_SYSTEMMEM {
            invalid!("pool: {pool}; buffers are default, managed or in system memory");
        }
        if pool == D3DPOOL_MANAGED && self.extended {
            invalid!("pool: an extended device has no D3DPOOL_MANAGED");
        }
        if usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL) != 0 {
            invalid!("usage: {usage:#x} is for textures");
        }
        Ok(())
    }

    /// `IDirect3DVertexBuffer9::Lock`; `size` 0 locks to the end, and so does one that reaches past
    /// it. Any flags will do.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for an offset past the end.
    pub fn vertex_buffer_lock(
        &mut self,
        buffer: VertexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) -> Result<LockedBuffer> {
        self.recorded(
            |r, x| r.vertex_buffer_lock(x, buffer, offset, size, flags),
            |d| find(&mut d.vertex_buffers, buffer.0)?.lock(offset, size, flags),
        )
    }

    /// The bytes of the range last locked.
    pub fn vertex_buffer_bytes_mut(&mut self, buffer: VertexBufferHandle) -> Result<&mut [u8]> {
        bytes_of(&mut self.vertex_buffers, buffer.0)
    }

    /// `IDirect3DVertexBuffer9::Unlock`: nothing happens to a buffer that is not locked.
    pub fn vertex_buffer_unlock(&mut self, buffer: VertexBufferHandle) -> Result<()> {
        self.record_memory(LockKey::VertexBuffer(buffer));
        self.recorded(
            |r, x| r.vertex_buffer_unlock(x, buffer),
            |d| {
                let buffer = find(&mut d.vertex_buffers, buffer.0)?;
                buffer.unlock();
                buffer.show(&mut d.renderer);
                Ok(())
            },
        )
    }

    /// `IDirect3DVertexBuffer9::GetDesc`.
    pub fn vertex_buffer_get_desc(&mut self, buffer: VertexBufferHandle) -> Result<BufferDesc> {
        self.call(|d| Ok(find(&mut d.vertex_buffers, buffer.0)?.desc))
    }

    /// `IDirect3DIndexBuffer9::Lock`; `size` 0 locks to the end, and so does one that reaches past
    /// it. Any flags will do.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for an offset past the end.
    pub fn index_buffer_lock(
        &mut self,
        buffer: IndexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) -> Result<LockedBuffer> {
        self.recorded(
            |r, x| r.index_buffer_lock(x, buffer, offset, size, flags),
            |d| find(&mut d.index_buffers, buffer.0)?.lock(offset, size, flags),
        )
    }

    /// The bytes of the range last locked.
    pub fn index_buffer_bytes_mut(&mut self, buffer: IndexBufferHandle) -> Result<&mut [u8]> {
        bytes_of(&mut self.index_buffers, buffer.0)
    }

    /// `IDirect3DIndexBuffer9::Unlock`: nothing happens to a buffer that is not locked.
    pub fn index_buffer_unlock(&mut self, buffer: IndexBufferHandle) -> Result<()> {
        self.record_memory(LockKey::IndexBuffer(buffer));
        self.recorded(
            |r, x| r.index_buffer_unlock(x, buffer),
            |d| {
                find(&mut d.index_buffers, buffer.0)?.unlock();
                Ok(())
            },
        )
    }

    /// `IDirect3DIndexBuffer9::GetDesc`.
    pub fn index_buffer_get_desc(&mut self, buffer: IndexBufferHandle) -> Result<BufferDesc> {
        self.call(|d| Ok(find(&mut d.index_buffers, buffer.0)?.desc))
    }
}

fn find(buffers: &mut Slots<Buffer>, handle: RawHandle) -> Outcome<&mut Buffer> {
    buffers.get_mut(handle).ok_or_else(|| stale("buffer"))
}

fn bytes_of(buffers: &mut Slots<Buffer>, handle: RawHandle) -> Result<&mut [u8]> {
    let buffer = buffers.get_mut(handle).ok_or(HResult::INVALIDCALL)?;
    buffer.bytes().map_err(|fault| fault.code())
}

/// Bytes of an index of `format`.
pub(crate) fn index_size(format: u32) -> Outcome<u32> {
    match format {
        D3DFMT_INDEX16 => Ok(2),
        D3DFMT_INDEX32 => Ok(4),
        _ => invalid!("format: {format:#x} is neither D3DFMT_INDEX16 nor D3DFMT_INDEX32"),
    }
}
