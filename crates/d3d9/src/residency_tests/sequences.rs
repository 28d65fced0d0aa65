//! Any calls in any order.

use super::Scene;
use crate::consts::*;
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
}

/// Everything that can happen to buffers, in any order; each draw's streams are looked at. The same
/// again without fast paths reads the same bytes and leaves the same picture.
#[test]
fn any_sequence_of_calls_reads_the_bytes_of_the_moment() {
    let mut sum = Traffic::default();
    for seed in [3, 77, 991, 2026] {
        let small = |settings: &mut DeviceSettings| settings.resident_budget = 500 << 10;
        let (Some(mut s), Some(mut plain)) = (Scene::with(small), Scene::with(small)) else {
            return;
        };
        plain.d.set_draw_fast_paths(false).unwrap();
        let all = churn(&mut s, seed, true);
        let none = churn(&mut plain, seed, false);
        sum += &all;
        assert_eq!((none.resident_draws, none.copies), (0, 0));
        let back = s.d.get_back_buffer(0, 0).unwrap();
        let picture = s.d.read_surface(back).unwrap();
        let back = plain.d.get_back_buffer(0, 0).unwrap();
        assert!(picture.bgra == plain.d.read_surface(back).unwrap().bgra);
    }
    assert!(sum.resident_draws > 1000 && sum.copies > 100, "{sum}");
    assert!(sum.mismatches > 4 && sum.budget_fallbacks > 50, "{sum}");
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
    let indices = d
        .create_index_buffer(2048, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
        .unwrap();
    d.index_buffer_lock(indices, 0, 0, 0).unwrap();
    for pair in d
        .index_buffer_bytes_mut(indices)
        .unwrap()
        .chunks_exact_mut(2)
    {
        pair.copy_from_slice(&(n.below(64) as u16).to_le_bytes());
    }
    d.index_buffer_unlock(indices).unwrap();
    d.set_indices(Some(indices)).unwrap();
    let mut buffers = Vec::new();
    for step in 0..4000 {
        let at = n.below(buffers.len().max(1) as u32) as usize;
        match n.below(40) {
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
