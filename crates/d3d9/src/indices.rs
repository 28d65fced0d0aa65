//! Indices as the renderer takes them.
//!
//! Fans become lists. Triangle `i` of a fan is vertices `i + 1`, `i + 2`, 0: the vertex that gives
//! a flat-shaded triangle its colour comes first, as Direct3D numbers them.
//!
//! Indices themselves are handed on as they are; the draw moves the vertices instead, to where the
//! smallest index is 0.

use ninefold_renderer::IndexData;

use crate::compare::extent;
use crate::fault::{Outcome, invalid};

/// Memory that draws reuse for indices.
#[derive(Debug, Default)]
pub(crate) struct IndexScratch {
    /// Indices of a fan.
    fan: Vec<u32>,
    /// Indices that were not aligned where they came from.
    narrow: Vec<u16>,
    wide: Vec<u32>,
}

/// Where the indices of a draw are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// Nowhere: vertices are taken in order.
    None,
    /// Bytes of 16-bit numbers, or of 32-bit ones.
    Bytes(&'a [u8], bool),
}

/// The indices of a draw, and which vertices they name.
#[derive(Debug)]
pub(crate) struct Indices<'a> {
    /// `None` takes vertices in order.
    pub(crate) data: Option<IndexData<'a>>,
    /// Indices, or vertices taken.
    pub(crate) count: u32,
    /// The smallest index and the largest.
    pub(crate) low: u32,
    pub(crate) high: u32,
}

/// The first `vertices` indices of a source, 1 at least; those of a fan as a list.
///
/// # Errors
/// `D3DERR_INVALIDCALL` for fewer indices than that.
pub(crate) fn normalise<'a>(
    source: Source<'a>,
    fan: bool,
    vertices: u32,
    scratch: &'a mut IndexScratch,
) -> Outcome<Indices<'a>> {
    let triangles = vertices.saturating_sub(2);
    let count = if fan {
        triangles.saturating_mul(3)
    } else {
        vertices
    };
    let (data, low, high) = match source {
        Source::None => {
            let data = fan.then(|| {
                sequential(triangles, &mut scratch.fan);
                IndexData::U32(&scratch.fan)
            });
            (data, 0, vertices - 1)
        }
        Source::Bytes(bytes, true) => {
            let indices = take(longs(bytes, &mut scratch.wide), vertices)?;
            let (low, high) = extent(indices).unwrap_or_default();
            let data = if fan {
                indexed(indices, &mut scratch.fan);
                IndexData::U32(&scratch.fan)
            } else {
                IndexData::U32(indices)
            };
            (Some(data), low, high)
        }
        Source::Bytes(bytes, false) => {
            let indices = take(words(bytes, &mut scratch.narrow), vertices)?;
            let (low, high) = extent(indices).unwrap_or_default();
            let data = if fan {
                indexed(indices, &mut scratch.fan);
                IndexData::U32(&scratch.fan)
            } else {
                IndexData::U16(indices)
            };
            (Some(data), low, high)
        }
    };
    Ok(Indices {
        data,
        count,
        low,
        high,
    })
}

/// Puts the list of a fan of `triangles` over vertices 0, 1, 2, ... in `out`.
fn sequential(triangles: u32, out: &mut Vec<u32>) {
    out.clear();
    out.extend((0..triangles).flat_map(|i| [i + 1, i + 2, 0]));
}

/// Puts the list of a fan over `indices` in `out`.
fn indexed<T: Copy + Into<u32>>(indices: &[T], out: &mut Vec<u32>) {
    out.clear();
    let Some((&center, rest)) = indices.split_first() else {
        return;
    };
    out.extend(
        rest.windows(2)
            .flat_map(|pair| [pair[0].into(), pair[1].into(), center.into()]),
    );
}

/// Bytes as 16-bit numbers, in place where they are aligned.
fn words<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u16>) -> &'a [u16] {
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
fn longs<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u32>) -> &'a [u32] {
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

/// The first `count` indices.
fn take<T>(indices: &[T], count: u32) -> Outcome<&[T]> {
    match indices.get(..count as usize) {
        Some(indices) => Ok(indices),
        None => invalid!("{count} indices are needed, {} are there", indices.len()),
    }
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
    fn a_fan_of_three_triangles_is_nine_indices() {
        let mut out = Vec::new();
        sequential(3, &mut out);
        assert_eq!(out, [1, 2, 0, 2, 3, 0, 3, 4, 0]);
        indexed(&[7u16, 3, 9, 4], &mut out);
        assert_eq!(out, [3, 9, 7, 9, 4, 7]);
        indexed::<u16>(&[7], &mut out);
        assert!(out.is_empty());
    }

    /// One index at a time, read byte by byte.
    fn plain(bytes: Option<(&[u8], bool)>, fan: bool, vertices: u32) -> Option<Vec<u32>> {
        let index = |n: u32| match bytes {
            None => Some(n),
            Some((bytes, wide)) => {
                let size = if wide { 4 } else { 2 };
                let at = n as usize * size;
                let bytes = bytes.get(at..at + size)?;
                Some(
                    bytes
                        .iter()
                        .rev()
                        .fold(0, |value, b| value << 8 | u32::from(*b)),
                )
            }
        };
        let all: Option<Vec<u32>> = (0..vertices).map(index).collect();
        let all = all?;
        if !fan {
            return Some(all);
        }
        let mut list = Vec::new();
        for n in 1..all.len().saturating_sub(1) {
            list.extend([all[n], all[n + 1], all[0]]);
        }
        Some(list)
    }

    fn numbers(data: &Option<IndexData<'_>>, count: u32) -> Vec<u32> {
        match data {
            None => (0..count).collect(),
            Some(IndexData::U16(indices)) => indices.iter().map(|i| (*i).into()).collect(),
            Some(IndexData::U32(indices)) => indices.to_vec(),
            Some(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_shapes_and_sizes_equal_the_plain_loop() {
        let mut seed = 7u64;
        let mut next = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        // One buffer for all, so that what a call leaves behind meets the next.
        let mut scratch = IndexScratch::default();
        let bytes: Vec<u8> = (0..400_000).map(|_| next() as u8).collect();
        let counts = [1, 2, 3, 4, 7, 8, 9, 31, 64, 65_535, 65_536, 65_537, 70_001];
        for vertices in counts {
            for fan in [false, true] {
                for offset in [0, 1, 2, 3, 16] {
                    for wide in [false, true] {
                        let part = &bytes[offset..];
                        let made =
                            normalise(Source::Bytes(part, wide), fan, vertices, &mut scratch);
                        let made = made.unwrap();
                        let expected = plain(Some((part, wide)), fan, vertices).unwrap();
                        assert_eq!(numbers(&made.data, made.count), expected);
                        assert_eq!(made.count as usize, expected.len());
                        let all = plain(Some((part, wide)), false, vertices).unwrap();
                        let extremes = (all.iter().min().copied(), all.iter().max().copied());
                        assert_eq!((Some(made.low), Some(made.high)), extremes);
                    }
                }
                let made = normalise(Source::None, fan, vertices, &mut scratch).unwrap();
                let expected = plain(None, fan, vertices).unwrap();
                assert_eq!(numbers(&made.data, made.count), expected);
                assert_eq!((made.low, made.high), (0, vertices - 1));
            }
        }
    }

    #[test]
    fn too_few_bytes_are_refused() {
        let mut scratch = IndexScratch::default();
        let bytes = [0u8; 40];
        for (wide, most) in [(false, 20), (true, 10)] {
            for fan in [false, true] {
                let mut some =
                    |n| normalise(Source::Bytes(&bytes, wide), fan, n, &mut scratch).is_ok();
                assert!(some(most));
                assert!(!some(most + 1));
                assert!(!some(u32::MAX));
            }
        }
        let mut odd =
            |n| normalise(Source::Bytes(&bytes[..39], false), false, n, &mut scratch).is_ok();
        assert!(odd(19));
        assert!(!odd(20));
    }
}
