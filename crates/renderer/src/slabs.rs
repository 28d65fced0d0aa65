//! Buffers that many small copies share, so that draws of different copies bind the same buffer.
//!
//! A slab is filled from its start to its end, once. Room of copies that are gone is not filled
//! again: the GPU may still read it, and what is written once needs no order with draws. A slab goes
//! when the last of its copies does and another is being filled.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ninefold_gpu::{Buffer, BufferDesc, Gpu};

use crate::error::Result;
use crate::resident::USAGE;

/// Bytes of a slab.
pub(crate) const SLAB: u64 = 2 << 20;
/// Larger copies have a buffer of their own.
pub(crate) const LARGEST: u64 = 64 << 10;
/// Copies begin at multiples of it.
const ALIGN: u64 = 16;

#[derive(Default)]
struct Totals {
    /// Bytes of all slabs.
    held: AtomicU64,
    /// Bytes of the copies in them.
    live: AtomicU64,
}

pub(crate) struct Slab {
    pub(crate) id: u32,
    pub(crate) buffer: Buffer,
    totals: Arc<Totals>,
}

impl Drop for Slab {
    fn drop(&mut self) {
        self.totals.held.fetch_sub(SLAB, Ordering::Relaxed);
    }
}

/// The part of a slab that one copy has.
pub(crate) struct Room {
    pub(crate) slab: Arc<Slab>,
    pub(crate) start: u64,
    bytes: u64,
}

impl Drop for Room {
    fn drop(&mut self) {
        let live = &self.slab.totals.live;
        live.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The slabs of a renderer.
#[derive(Default)]
pub(crate) struct Slabs {
    totals: Arc<Totals>,
    /// The one that is being filled, and how far it is.
    filling: Option<(Arc<Slab>, u64)>,
}

impl Slabs {
    /// Room that no copy has had. `None` for copies that are too large, and while slabs hold little
    /// but the room of copies that are gone: they never hold more than twice the most that lived in
    /// them at once, and two slabs.
    /// `id` is the copy's; a slab has that of its first.
    pub(crate) fn room(&mut self, gpu: &Gpu, bytes: u64, id: u32) -> Result<Option<Room>> {
        if bytes > LARGEST {
            return Ok(None);
        }
        let bytes = bytes.next_multiple_of(ALIGN);
        let full = |(_, used): &(_, u64)| used + bytes > SLAB;
        if self.filling.as_ref().is_none_or(full) {
            // Before the count, because nothing else may live in it.
            self.filling = None;
            let live = self.totals.live.load(Ordering::Relaxed);
            if self.totals.held.load(Ordering::Relaxed) > 2 * live + SLAB {
                return Ok(None);
            }
            let buffer = gpu.create_buffer(&BufferDesc {
                label: "geometry slab",
                size: SLAB,
                usage: USAGE,
            })?;
            self.totals.held.fetch_add(SLAB, Ordering::Relaxed);
            let slab = Slab {
                id,
                buffer,
                totals: self.totals.clone(),
            };
            self.filling = Some((Arc::new(slab), 0));
        }
        let Some((slab, used)) = &mut self.filling else {
            return Ok(None);
        };
        let start = *used;
        *used += bytes;
        self.totals.live.fetch_add(bytes, Ordering::Relaxed);
        Ok(Some(Room {
            slab: slab.clone(),
            start,
            bytes,
        }))
    }

    /// Bytes of all slabs and of the copies in them.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        let of = |total: &AtomicU64| total.load(Ordering::Relaxed);
        (of(&self.totals.held), of(&self.totals.live))
    }
}
