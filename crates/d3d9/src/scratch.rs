//! Memory that draws reuse, and the parts of vertices that they read.

use ninefold_renderer::{Rect, StreamData};

use crate::fault::{Outcome, invalid};
use crate::indices::IndexScratch;

/// Scratch memory, kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rectangles of a clear.
    pub(crate) rects: Vec<Rect>,
    pub(crate) indices: IndexScratch,
    /// Vertices of buffers that are shorter than a draw reads.
    pub(crate) padded: Vec<u8>,
    /// Vertices of primitives that share none, and their numbers.
    pub(crate) expanded: Vec<u8>,
    pub(crate) list: Vec<u32>,
}

/// Bytes that vertices past the ends of their buffers may take in one draw.
const MAX_PADDED: u64 = 64 << 20;

/// Puts copies in place of the streams of `short` (a bit each), with zeros from where they end to
/// what `needed` says. An index that points anywhere must not make the memory of everywhere.
#[cold]
pub(crate) fn pad<'a>(
    streams: &mut [StreamData<'a>; 16],
    short: u16,
    padded: &'a mut Vec<u8>,
    needed: impl Fn(usize) -> u64,
) -> Outcome<()> {
    let all = || (0..16).filter(|n| short >> n & 1 != 0);
    let total = all().fold(0u64, |sum, n| sum.saturating_add(needed(n)));
    if total > MAX_PADDED {
        invalid!("vertices reach {total} bytes past the start of buffers that are shorter");
    }
    padded.clear();
    for n in all() {
        let end = padded.len() + needed(n) as usize;
        if let StreamData::Bytes(bytes) = streams[n] {
            padded.extend_from_slice(bytes);
        }
        padded.resize(end, 0);
    }
    let mut rest = &**padded;
    for n in all() {
        let (bytes, after) = rest.split_at(needed(n) as usize);
        streams[n] = StreamData::Bytes(bytes);
        rest = after;
    }
    Ok(())
}

/// The bytes of `used` vertices from `first` on. The last vertex may end with its last element
/// rather than its stride.
pub(crate) fn span(
    bytes: &[u8],
    stride: u32,
    first: i64,
    used: u64,
    stream: usize,
) -> Outcome<&[u8]> {
    if stride == 0 {
        return Ok(bytes);
    }
    let start = first
        .checked_mul(stride.into())
        .and_then(|s| usize::try_from(s).ok());
    let Some(rest) = start.and_then(|s| bytes.get(s..)) else {
        invalid!(
            "stream {stream}: vertex {first} lies outside of its {} bytes",
            bytes.len()
        );
    };
    let len = used.saturating_mul(stride.into()).min(rest.len() as u64) as usize;
    Ok(&rest[..len])
}
