//! The vertices that indexed draws name.

use ninefold_renderer::{Draw, IndexData, StreamData};

use super::sequences::Numbers;
use super::{STRIDE, Scene, Seen};
use crate::DeviceSettings;
use crate::buffer::Buffer;
use crate::consts::*;
use crate::stream::Stream;

/// The part of an index buffer that a draw reads, if it reads it of a copy on the GPU.
pub(super) fn seen(draw: &Draw<'_>, buffer: Option<&Buffer>) -> Option<Seen> {
    let Some(IndexData::Resident {
        buffer: copy,
        offset,
        size,
        wide,
    }) = draw.indices
    else {
        return None;
    };
    let data = &buffer.expect("indices of the program's memory").data;
    let each = if wide { 4 } else { 2 };
    assert_eq!(draw.first, 0);
    let range = offset as usize..offset as usize + draw.count as usize * each;
    assert!(range.end as u64 <= offset + size, "{range:?}");
    assert_eq!(copy.size(), data.len() as u64);
    Some(Seen {
        stream: 0,
        copy: copy.clone(),
        bytes: data[range.clone()].to_vec(),
        range,
    })
}

/// The vertices that a draw reads of its first stream; `None` when it lies in a copy made for it.
pub(super) fn order(
    draw: &Draw<'_>,
    stream: &Stream,
    buffer: &Buffer,
    indices: Option<&Buffer>,
) -> Option<Vec<i64>> {
    let start = match draw.streams[0] {
        StreamData::Bytes(part) => {
            let start = part.as_ptr().addr();
            let start = start.checked_sub(buffer.data.as_ptr().addr())?;
            (start < buffer.data.len()).then_some(start as i64)?
        }
        StreamData::Resident { offset, .. } => offset as i64,
        StreamData::None => return None,
    };
    let zero = (start - i64::from(stream.offset)) / i64::from(stream.stride);
    let base = zero + i64::from(draw.base_vertex);
    Some(match draw.indices {
        None => (draw.first..draw.first + draw.count)
            .map(|n| zero + i64::from(n))
            .collect(),
        Some(_) => named(draw, indices)
            .into_iter()
            .map(|index| base + i64::from(index))
            .collect(),
    })
}

/// The indices that a draw reads.
pub(super) fn named(draw: &Draw<'_>, buffer: Option<&Buffer>) -> Vec<u32> {
    let range = draw.first as usize..(draw.first + draw.count) as usize;
    match draw.indices {
        None => Vec::new(),
        Some(IndexData::U16(all)) => all[range].iter().map(|i| (*i).into()).collect(),
        Some(IndexData::U32(all)) => all[range].to_vec(),
        // That the copy holds these bytes, `Scene::check` finds out.
        Some(IndexData::Resident { wide, .. }) => {
            let bytes = seen(draw, buffer).expect("a copy").bytes;
            bytes
                .chunks_exact(if wide { 4 } else { 2 })
                .map(|b| b.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b)))
                .collect()
        }
    }
}

/// What Direct3D says a draw reads: index plus base, one after the other, fans as triangles that
/// begin with their second vertex.
fn plain(primitive: u32, indices: &[u32], base: i32) -> Vec<i64> {
    let mut all = Vec::new();
    for index in indices {
        all.push(i64::from(*index) + i64::from(base));
    }
    if primitive != D3DPT_TRIANGLEFAN {
        return all;
    }
    let mut list = Vec::new();
    for n in 1..all.len() - 1 {
        list.extend([all[n], all[n + 1], all[0]]);
    }
    list
}

const VERTICES: u32 = 70_010;

impl Scene {
    pub(super) fn set_indices(&mut self, format: u32, all: &[u32]) {
        let wide = format == D3DFMT_INDEX32;
        let size = all.len() as u32 * if wide { 4 } else { 2 };
        let d = &mut self.d;
        let indices = d
            .create_index_buffer(size, 0, format, D3DPOOL_MANAGED)
            .unwrap();
        d.index_buffer_lock(indices, 0, 0, 0).unwrap();
        let bytes = d.index_buffer_bytes_mut(indices).unwrap();
        for (place, index) in all.iter().enumerate() {
            match wide {
                true => bytes[place * 4..][..4].copy_from_slice(&index.to_le_bytes()),
                false => bytes[place * 2..][..2].copy_from_slice(&(*index as u16).to_le_bytes()),
            }
        }
        d.index_buffer_unlock(indices).unwrap();
        d.set_indices(Some(indices)).unwrap();
        d.release(indices).unwrap();
    }
}

#[test]
fn indexed_draws_read_the_vertices_that_a_plain_loop_names() {
    let room = |settings: &mut DeviceSettings| settings.resident_budget = 4 << 20;
    let Some(mut s) = Scene::with(room) else {
        return;
    };
    let vertices = s.buffer(0, &vec![0; (VERTICES * STRIDE) as usize]);
    s.bind(vertices);
    let mut numbers = Numbers(0x1234_5678_9ABC_DEF1);
    let mut compared = 0;
    for format in [D3DFMT_INDEX16, D3DFMT_INDEX32] {
        let most = match format {
            D3DFMT_INDEX16 => 65_536,
            _ => VERTICES,
        };
        // Indices anywhere, the largest there is among them, and in a narrow range.
        for (count, below) in [(1, most), (2, most), (3, 900), (40, 900), (21_900, most)] {
            let len = 3 * count + 20;
            let mut all: Vec<u32> = (0..len).map(|_| numbers.below(below)).collect();
            if count == 2 {
                all[9] = most - 1;
            }
            s.set_indices(format, &all);
            for primitive in D3DPT_POINTLIST..=D3DPT_TRIANGLEFAN {
                let taken = match primitive {
                    D3DPT_POINTLIST => count,
                    D3DPT_LINELIST => 2 * count,
                    D3DPT_LINESTRIP => count + 1,
                    D3DPT_TRIANGLELIST => 3 * count,
                    _ => count + 2,
                };
                for base in [0, 1, -1, -400, 4_000, 69_100, i32::MAX, i32::MIN] {
                    for (start, fast) in [(0, false), (7, false), (7, true), (8, true)] {
                        let used = &all[start as usize..(start + taken) as usize];
                        let expected = plain(primitive, used, base);
                        s.d.set_draw_fast_paths(fast).unwrap();
                        let drawn =
                            s.d.draw_indexed_primitive(primitive, base, 0, VERTICES, start, count);
                        let orders = core::mem::take(&mut s.d.scratch.watch.orders);
                        s.d.scratch.watch.seen.clear();
                        s.d.scratch.watch.seen_indices.clear();
                        let inside = |vertex: &i64| (0..i64::from(VERTICES)).contains(vertex);
                        if !expected.iter().all(inside) {
                            continue;
                        }
                        assert_eq!(drawn, Ok(()), "{}", s.d.last_error());
                        assert!(
                            orders == [expected],
                            "primitive {primitive}, base {base}, {count} from {start}, {fast}"
                        );
                        compared += 1;
                    }
                }
            }
        }
        s.d.flush().unwrap();
    }
    assert!(compared > 400, "{compared}");
    assert!(s.d.traffic().resident_draws > 200);
}
