//! Any calls in any order.

use super::Scene;
use crate::consts::*;
use crate::handle::IndexBufferHandle;
use crate::{DeviceSettings, Traffic, VertexElement};

/// A small generator of repeatable numbers.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as u32) % bound
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256) as u8).collect()
    }

    fn indices(&mut self, each: u32, len: usize) -> Vec<u8> {
        let index = |_| self.below(64).to_le_bytes();
        (0..len)
            .map(index)
            .flat_map(|bytes| bytes.into_iter().take(each as usize))
            .collect()
    }
}

/// Everything that can happen to buffers, in any order; each draw's streams are looked at. The same
/// again without fast paths reads the same bytes and leaves the same picture.
#[test]
fn any_sequence_of_calls_reads_the_bytes_of_the_moment() {
    let (mut sum, mut of_copies) = (Traffic::default(), 0);
    for seed in [3, 77, 991, 2026] {
        let small = |settings: &mut DeviceSettings| settings.resident_budget = 500 << 10;
        let (Some(mut s), Some(mut plain)) = (Scene::with(small), Scene::with(small)) else {
            return;
        };
        plain.d.set_draw_fast_paths(false).unwrap();
        let all = churn(&mut s, seed, true);
        let none = churn(&mut plain, seed, false);
        sum += &all;
        of_copies += s.d.scratch.watch.index_copies_read;
        assert_eq!((none.resident_draws, none.copies), (0, 0));
        let back = s.d.get_back_buffer(0, 0).unwrap();
        let picture = s.d.read_surface(back).unwrap();
        let back = plain.d.get_back_buffer(0, 0).unwrap();
        assert!(picture.bgra == plain.d.read_surface(back).unwrap().bgra);
    }
    assert!(sum.resident_draws > 1000 && sum.copies > 100, "{sum}");
    assert!(sum.mismatches > 4 && sum.budget_fallbacks > 50, "{sum}");
    assert!(of_copies > 300, "{of_copies} draws by indices of copies");
}

/// A buffer of 1,024 indices, bound, and how wide they are.
fn new_list(s: &mut Scene, n: &mut Numbers, which: usize) -> (IndexBufferHandle, u32) {
    let (format, each) = [(D3DFMT_INDEX16, 2), (D3DFMT_INDEX32, 4)][which % 2];
    let (usage, pool) = match which {
        3 => (D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT),
        _ => (0, D3DPOOL_MANAGED),
    };
    let d = &mut s.d;
    let list = d
        .create_index_buffer(1024 * each, usage, format, pool)
        .unwrap();
    let bytes = n.indices(each, 1024);
    s.fill_indices(list, 0, &bytes, 0);
    s.d.set_indices(Some(list)).unwrap();
    (list, each)
}

fn churn(s: &mut Scene, seed: u64, toggles: bool) -> Traffic {
    let mut n = Numbers(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15) | 1);
    let element = |stream, offset, ty, usage, usage_index| VertexElement {
        stream,
        offset,
        ty,
        method: 0,
        usage,
        usage_index,
    };
    let elements = [
        element(0, 0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, 0),
        element(1, 4, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0),
        element(1, 0, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1),
        element(2, 0, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
        element(2, 8, D3DDECLTYPE_UDEC3, D3DDECLUSAGE_TEXCOORD, 1),
    ];
    let d = &mut s.d;
    let declarations = [&elements[..3], &elements].map(|e| d.create_vertex_declaration(e).unwrap());
    // Buffers of indices below 64, of both widths, one of them dynamic.
    let mut lists = Vec::new();
    for which in 0..4 {
        lists.push(new_list(s, &mut n, which));
    }
    let mut buffers = Vec::new();
    for step in 0..5000 {
        let at = n.below(buffers.len().max(1) as u32) as usize;
        match n.below(50) {
            40..=42 => {
                let (list, _) = lists[n.below(4) as usize];
                s.d.set_indices(Some(list)).unwrap();
            }
            43..=45 => {
                let (list, each) = lists[n.below(4) as usize];
                let start = n.below(900);
                let few = n.indices(each, 10);
                match n.below(12) {
                    0..6 => s.scribble_indices(list, (start * each) as usize, &few),
                    kind => {
                        let flags = match kind {
                            10 => D3DLOCK_NOOVERWRITE,
                            11 => D3DLOCK_DISCARD,
                            _ => 0,
                        };
                        s.fill_indices(list, start * each, &few, flags);
                    }
                }
            }
            46 => {
                let which = n.below(4) as usize;
                s.d.release(lists[which].0).unwrap();
                lists[which] = new_list(s, &mut n, which);
            }
            47 => {
                s.d.index_buffer_lock(lists[n.below(4) as usize].0, 0, 0, 0)
                    .unwrap();
            }
            48.. => {
                s.d.index_buffer_unlock(lists[n.below(4) as usize].0)
                    .unwrap();
            }
            0 | 1 if buffers.len() < 16 => {
                let len = [4096, 6000, 300 << 10][n.below(3) as usize];
                let usage = [0, 0, 0, D3DUSAGE_DYNAMIC][n.below(4) as usize];
                let bytes = n.bytes(len);
                buffers.push(s.buffer(usage, &bytes));
            }
            1 if buffers.len() > 8 => {
                s.d.release(buffers.swap_remove(at)).unwrap();
            }
            2 if !buffers.is_empty() => {
                let flags = [0, 0, 0, 0, D3DLOCK_NOOVERWRITE, D3DLOCK_DISCARD];
                let (start, len) = (n.below(2000), n.below(2000) as usize + 1);
                let bytes = n.bytes(len);
                s.fill(buffers[at], start, &bytes, flags[n.below(6) as usize]);
            }
            3 | 4 if !buffers.is_empty() => {
                let start = n.below(1000) as usize;
                let bytes = n.bytes(100);
                s.scribble(buffers[at], start, &bytes);
            }
            // A lock that stays for a while.
            5 if !buffers.is_empty() && n.below(4) == 0 => {
                s.d.vertex_buffer_lock(buffers[at], 0, 0, 0).unwrap();
            }
            6..=8 if !buffers.is_empty() => {
                let _ = s.d.vertex_buffer_unlock(buffers[at]);
            }
            22 => {
                let on = n.below(4) != 0;
                s.d.set_draw_fast_paths(on && toggles).unwrap();
            }
            9..=13 if !buffers.is_empty() => {
                let stream = n.below(3);
                let stride = [[16, 20, 0, 17], [8, 12, 0, 8], [12, 12, 16, 2050]][stream as usize]
                    [n.below(4) as usize];
                let offset = [0, 0, 0, 4, 64, 6][n.below(6) as usize];
                let buffer = (n.below(12) != 0).then_some(buffers[at]);
                s.d.set_stream_source(stream, buffer, offset, stride)
                    .unwrap();
            }
            14 => {
                let which = n.below(4) == 0;
                s.d.set_vertex_declaration(Some(declarations[usize::from(which)]))
                    .unwrap();
            }
            15 => {
                let frequency = match n.below(4) {
                    0 => D3DSTREAMSOURCE_INSTANCEDATA | 1,
                    _ => 1,
                };
                s.d.set_stream_source_freq(1, frequency).unwrap();
                let of_first = [1, D3DSTREAMSOURCE_INDEXEDDATA | 2][n.below(2) as usize];
                s.d.set_stream_source_freq(0, of_first).unwrap();
            }
            16 | 17 => {
                let primitive = n.below(6) + 1;
                let (first, count) = (n.below(100), n.below(20));
                let _ = s.d.draw_primitive(primitive, first, count);
            }
            18..=20 => {
                let primitive = n.below(6) + 1;
                let (base, first) = (n.below(60) as i32 - 10, n.below(900));
                let count = n.below(30);
                let _ =
                    s.d.draw_indexed_primitive(primitive, base, 0, 64, first, count);
            }
            21 => {
                let user = n.bytes(64);
                let _ = s.d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &user, 16);
            }
            23 => s.d.flush().unwrap(),
            _ if buffers.is_empty() => {}
            // The usual draw.
            n if n < 32 => {
                s.d.draw_primitive(D3DPT_TRIANGLELIST, n, 5).unwrap();
            }
            n => {
                s.d.draw_indexed_primitive(D3DPT_TRIANGLESTRIP, 0, 0, 64, 8 * n, 20)
                    .unwrap()
            }
        }
        if step % 250 == 249 {
            s.check();
        }
    }
    s.check();
    s.d.traffic()
}
