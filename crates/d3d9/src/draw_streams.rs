//! Where the vertices of a draw are: the parts of the streams that it reads.

use ninefold_renderer::StreamData;

use crate::buffer::Buffer;
use crate::declaration::Declaration;
use crate::device::stale;
use crate::fault::Outcome;
use crate::handle::Slots;
use crate::residency::{Found, Ledger};
use crate::scratch::{from_vertex, span};
use crate::stream::Stream;

/// What a draw, or one instance of it, reads.
pub(crate) struct Wanted<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) streams: &'a [Stream; 16],
    /// The caller's memory as stream 0, and whether vertices outside of it are an error.
    pub(crate) user: Option<(&'a [u8], bool)>,
    pub(crate) first_vertex: i64,
    /// Vertices from the first to the last that is read, 1 at least.
    pub(crate) used: u64,
    pub(crate) instance: u32,
    /// Copies on the GPU may be read instead of the buffers.
    pub(crate) resident: bool,
}

/// Parts of streams, each beginning with the first vertex that is read. Of the masks bit n is
/// stream n.
#[derive(Default)]
pub(crate) struct Gathered<'a> {
    pub(crate) streams: [StreamData<'a>; 16],
    /// Streams up to the last that is bound.
    pub(crate) bound: usize,
    /// Those that are read of the program's memory.
    pub(crate) bytes: u16,
    /// Those that the draw must read from a copy: they end too early or lie too oddly.
    pub(crate) copied: u16,
    /// Those of buffers that programs write to while they are drawn.
    pub(crate) dynamic: u16,
    /// Those that are read of a copy on the GPU.
    pub(crate) resident: u16,
    /// Those whose buffer wants a new copy.
    pub(crate) stale: u16,
    /// Buffers whose copy finds no room.
    pub(crate) full: u32,
}

/// The numbers of the bits that are set.
#[inline]
pub(crate) fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let n = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (n < 16).then_some(n)
    })
}

/// Finds the part of every stream that the declaration reads; `all` is empty before.
#[inline]
pub(crate) fn gather<'a>(
    wanted: &Wanted<'a>,
    buffers: &'a Slots<Buffer>,
    ledger: &Ledger,
    all: &mut Gathered<'a>,
) -> Outcome<()> {
    let declaration = wanted.declaration;
    for n in bits(declaration.streams) {
        let bit = 1 << n;
        let stream = &wanted.streams[n];
        let (first, count) = match stream.instanced() {
            true => (wanted.instance.into(), 1),
            false => (wanted.first_vertex, wanted.used),
        };
        let step = stream.step();
        let spread = declaration.drawn_stride(n, step) != step;
        let needed = declaration.needed(n, stream.stride, count);
        // Vertices before the first and past the end of the bytes read zeros, from a copy.
        let copied = &mut all.copied;
        let mut read = |bytes| {
            let there = first.max(0);
            if spread {
                *copied |= bit;
                return from_vertex(bytes, step, there).unwrap_or(&[]);
            }
            let count = count.saturating_sub(there.abs_diff(first));
            let part = span(bytes, stream.stride, there, count, n).unwrap_or(&[]);
            if (part.len() as u64) < needed {
                *copied |= bit;
            }
            part
        };
        let part = match (wanted.user, n) {
            (Some((bytes, true)), 0) if !spread => span(bytes, stream.stride, first, count, n)?,
            (Some((bytes, _)), 0) => read(bytes),
            _ => {
                let Some(handle) = stream.buffer else {
                    continue;
                };
                let buffer = buffers.get(handle).ok_or_else(|| stale("vertex buffer"))?;
                if wanted.resident
                    && !spread
                    && declaration.converted & bit == 0
                    && let Some((start, len)) = aligned(stream, first, needed, buffer.data.len())
                {
                    match buffer.resident(start, len, ledger) {
                        Found::Copy(copy) => {
                            all.streams[n] = StreamData::Resident {
                                buffer: copy,
                                offset: start as u64,
                                size: len as u64,
                            };
                            all.resident |= bit;
                            all.bound = n + 1;
                            continue;
                        }
                        Found::Stale => all.stale |= bit,
                        Found::Full => all.full += 1,
                        Found::Nothing => {}
                    }
                }
                all.dynamic |= u16::from(buffer.is_dynamic()) << n;
                read(buffer.data.get(stream.offset as usize..).unwrap_or(&[]))
            }
        };
        all.streams[n] = StreamData::Bytes(part);
        all.bytes |= bit;
        all.bound = n + 1;
    }
    Ok(())
}

/// Start and length in a buffer of `size` bytes of the `len` bytes from vertex `first` on, if they
/// are there and begin with a whole word, as the GPU wants it.
#[inline]
fn aligned(stream: &Stream, first: i64, len: u64, size: usize) -> Option<(usize, usize)> {
    let offset = u64::from(stream.offset);
    let start = u64::try_from(first)
        .ok()?
        .checked_mul(stream.stride.into())?
        .checked_add(offset)?;
    let inside = start.checked_add(len).is_some_and(|end| end <= size as u64);
    (inside && start.is_multiple_of(4) && offset.is_multiple_of(4))
        .then_some((start as usize, len as usize))
}

impl Gathered<'_> {
    /// Where everything is read of copies, binds each from its stream's first vertex to its end, so
    /// that draws of other vertices find it bound. Then vertices count from there, and `true`.
    pub(crate) fn widen(&mut self, streams: &[Stream; 16]) -> bool {
        if self.bytes != 0 {
            return false;
        }
        for n in bits(self.resident) {
            if let StreamData::Resident {
                buffer,
                offset,
                size,
            } = &mut self.streams[n]
                && !streams[n].instanced()
            {
                *offset = streams[n].offset.into();
                *size = buffer.size() - *offset;
            }
        }
        true
    }
}
