//! Memory that draws reuse, and the parts of vertices that they read.

use ninefold_renderer::{Rect, StreamData};

use crate::fault::{Outcome, invalid};
use crate::handle::RawHandle;
use crate::indices::IndexScratch;

/// Scratch memory, kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rectangles of a clear.
    pub(crate) rects: Vec<Rect>,
    pub(crate) indices: IndexScratch,
    /// The index buffer of the last draw that had one.
    pub(crate) last_indices: Option<RawHandle>,
    /// Vertices of buffers that are shorter than a draw reads.
    pub(crate) padded: Vec<u8>,
    /// Vertices of primitives that share none, and their numbers.
    pub(crate) expanded: Vec<u8>,
    pub(crate) list: Vec<u32>,
    #[cfg(test)]
    pub(crate) watch: crate::residency_tests::Watch,
}

/// Bytes that vertices past the ends of their buffers may take in one draw.
const MAX_PADDED: u64 = 64 << 20;

/// How the vertices of a stream lie in the copy that a draw makes of them.
pub(crate) struct Lie {
    /// Bytes from vertex to vertex where they come from, and in the copy.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Bytes from the start of a vertex to the end of its last element.
    pub(crate) end: u32,
    /// Vertices, 1 at least.
    pub(crate) count: u64,
    /// How many of them come before the first that there is.
    pub(crate) before: u64,
}

impl Lie {
    fn bytes(&self) -> u64 {
        (self.count - 1)
            .saturating_mul(self.to.into())
            .saturating_add(self.end.into())
    }

    /// Copies what there is of the vertices.
    fn copy(&self, bytes: &[u8], to: &mut [u8]) {
        let before = self.before.saturating_mul(self.to.into());
        let before = before.min(to.len() as u64) as usize;
        let to = &mut to[before..];
        if self.from == self.to {
            let len = bytes.len().min(to.len());
            to[..len].copy_from_slice(&bytes[..len]);
            return;
        }
        let sources = (0..self.count as usize).map_while(|n| bytes.get(n * self.from as usize..));
        for (source, place) in sources.zip(to.chunks_mut(self.to as usize)) {
            let len = source.len().min(self.end as usize);
            place[..len].copy_from_slice(&source[..len]);
        }
    }
}

/// Puts copies in place of the streams of `copied` (a bit each), with zeros where there is nothing to
/// copy. An index that points anywhere must not make the memory of everywhere.
#[cold]
pub(crate) fn copy_out<'a>(
    streams: &mut [StreamData<'a>; 16],
    copied: u16,
    padded: &'a mut Vec<u8>,
    lie: impl Fn(usize) -> Lie,
) -> Outcome<()> {
    let all = || (0..16).filter(|n| copied >> n & 1 != 0);
    let total = all().fold(0u64, |sum, n| sum.saturating_add(lie(n).bytes()));
    if total > MAX_PADDED {
        invalid!("vertices reach {total} bytes past the start of buffers that are shorter");
    }
    padded.clear();
    padded.resize(total as usize, 0);
    let mut rest = &mut **padded;
    for n in all() {
        let lie = lie(n);
        let (place, after) = rest.split_at_mut(lie.bytes() as usize);
        if let StreamData::Bytes(bytes) = streams[n] {
            lie.copy(bytes, place);
        }
        streams[n] = StreamData::Bytes(place);
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
    let Some(rest) = from_vertex(bytes, stride, first) else {
        invalid!(
            "stream {stream}: vertex {first} lies outside of its {} bytes",
            bytes.len()
        );
    };
    let len = used.saturating_mul(stride.into()).min(rest.len() as u64) as usize;
    Ok(&rest[..len])
}

/// The bytes from vertex `first` on, if it begins there.
pub(crate) fn from_vertex(bytes: &[u8], stride: u32, first: i64) -> Option<&[u8]> {
    let start = first.checked_mul(stride.into())?;
    bytes.get(usize::try_from(start).ok()?..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_that_overlap_are_copied_apart() {
        let lie = Lie {
            from: 2,
            to: 4,
            end: 3,
            count: 4,
            before: 0,
        };
        assert_eq!(lie.bytes(), 15);
        let mut out = [9; 15];
        lie.copy(&[1, 2, 3, 4, 5, 6], &mut out);
        // The third begins with the last two bytes there are, the fourth past the end.
        assert_eq!(out, [1, 2, 3, 9, 3, 4, 5, 9, 5, 6, 9, 9, 9, 9, 9]);
    }

    #[test]
    fn vertices_before_the_first_are_zeros() {
        let lie = |before| Lie {
            from: 2,
            to: 2,
            end: 2,
            count: 4,
            before,
        };
        for (before, expected) in [
            (0, [1, 2, 3, 4, 0, 0, 0, 0]),
            (1, [0, 0, 1, 2, 3, 4, 0, 0]),
            (3, [0, 0, 0, 0, 0, 0, 1, 2]),
            (4, [0; 8]),
            (u64::MAX, [0; 8]),
        ] {
            let mut out = [0; 8];
            lie(before).copy(&[1, 2, 3, 4], &mut out);
            assert_eq!(out, expected, "{before} before");
        }
    }

    #[test]
    fn copies_end_where_they_are_needed() {
        let mut padded = Vec::new();
        let mut streams = [StreamData::None; 16];
        streams[3] = StreamData::Bytes(&[1, 2, 3]);
        let lie = |count| {
            move |_| Lie {
                from: 4,
                to: 4,
                end: 2,
                count,
                before: 0,
            }
        };
        copy_out(&mut streams, 1 << 3, &mut padded, lie(2)).expect("six bytes");
        assert!(matches!(streams[3], StreamData::Bytes([1, 2, 3, 0, 0, 0])));
        let mut streams = [StreamData::None; 16];
        assert!(copy_out(&mut streams, 1, &mut Vec::new(), lie(u64::MAX)).is_err());
    }
}
