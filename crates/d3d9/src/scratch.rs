//! Memory that draws reuse, and the parts of vertices and indices that they read.

use ninefold_renderer::{Rect, StreamData};

use crate::fault::{Outcome, invalid};

/// Scratch memory, kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rectangles of a clear.
    pub(crate) rects: Vec<Rect>,
    /// Indices of a fan.
    pub(crate) fan: Vec<u32>,
    /// Indices that were not aligned where they came from.
    pub(crate) indices16: Vec<u16>,
    pub(crate) indices32: Vec<u32>,
    /// Vertices of buffers that are shorter than a draw reads.
    pub(crate) padded: Vec<u8>,
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

/// Bytes as 16-bit numbers, in place where they are aligned.
pub(crate) fn words<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u16>) -> &'a [u16] {
    let whole = &bytes[..bytes.len() & !1];
    match bytemuck::try_cast_slice(whole) {
        Ok(words) => words,
        Err(_) => {
            scratch.clear();
            scratch.extend(
                whole
                    .chunks_exact(2)
                    .map(|b| u16::from_le_bytes([b[0], b[1]])),
            );
            scratch
        }
    }
}

/// Bytes as 32-bit numbers, in place where they are aligned.
pub(crate) fn longs<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u32>) -> &'a [u32] {
    let whole = &bytes[..bytes.len() & !3];
    match bytemuck::try_cast_slice(whole) {
        Ok(longs) => longs,
        Err(_) => {
            scratch.clear();
            scratch.extend(
                whole
                    .chunks_exact(4)
                    .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            );
            scratch
        }
    }
}

/// Smallest and largest of `indices`; `None` when there are none.
pub(crate) fn extent<T: Copy + Ord + Into<u32>>(indices: &[T]) -> Option<(u32, u32)> {
    let (&first, rest) = indices.split_first()?;
    let (mut low, mut high) = (first, first);
    for &i in rest {
        low = low.min(i);
        high = high.max(i);
    }
    Some((low.into(), high.into()))
}

/// The first `count` indices.
pub(crate) fn take<T>(indices: &[T], count: u32) -> Outcome<&[T]> {
    match indices.get(..count as usize) {
        Some(indices) => Ok(indices),
        None => invalid!("{count} indices are needed, {} are there", indices.len()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unaligned_bytes_are_copied_and_aligned_ones_are_not() {
        let data: Vec<u8> = (0..9).collect();
        let mut scratch = Vec::new();
        let odd = if (data.as_ptr() as usize).is_multiple_of(2) {
            1
        } else {
            0
        };
        assert_eq!(words(&data[odd..odd + 5], &mut scratch).len(), 2);
        assert_eq!(scratch.len(), 2);
        let mut scratch = Vec::new();
        assert_eq!(words(&data[1 - odd..5 - odd], &mut scratch).len(), 2);
        assert!(scratch.is_empty());
    }

    #[test]
    fn extents_are_the_smallest_and_largest_index() {
        assert_eq!(extent::<u16>(&[]), None);
        assert_eq!(extent(&[5u16, 2, 9, 2]), Some((2, 9)));
        assert_eq!(extent(&[70000u32]), Some((70000, 70000)));
    }
}
