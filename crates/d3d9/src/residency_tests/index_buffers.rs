//! Copies of static index buffers: the rules of vertex buffers, and those of indices.

use super::{BLUE, GREEN, RED, STRIDE, Scene, quad};
use crate::DeviceSettings;
use crate::consts::*;
use crate::handle::IndexBufferHandle;

const FORMATS: [u32; 2] = [D3DFMT_INDEX16, D3DFMT_INDEX32];

/// Indices of a quad: its strip, and then its last corner, over and over. So many that copies are
/// made of them whatever was drawn before.
const RUN: u32 = 256;

/// Those of the red, the green and the blue quad.
fn of(color: u32) -> Vec<u32> {
    let first = match color {
        RED => 0,
        GREEN => 4,
        _ => 8,
    };
    (0..RUN).map(|n| first + n.min(3)).collect()
}

fn bytes_of(format: u32, indices: &[u32]) -> Vec<u8> {
    let each = if format == D3DFMT_INDEX32 { 4 } else { 2 };
    let bytes = |index: &u32| index.to_le_bytes()[..each].to_vec();
    indices.iter().flat_map(bytes).collect()
}

impl Scene {
    fn quads(&mut self) {
        let all = [quad(RED), quad(GREEN), quad(BLUE)].concat();
        let vertices = self.buffer(0, &all);
        self.bind(vertices);
    }

    fn index_buffer(&mut self, usage: u32, format: u32, indices: &[u32]) -> IndexBufferHandle {
        let pool = match usage & D3DUSAGE_DYNAMIC {
            0 => D3DPOOL_MANAGED,
            _ => D3DPOOL_DEFAULT,
        };
        let bytes = bytes_of(format, indices);
        let len = bytes.len() as u32;
        let buffer = self
            .d
            .create_index_buffer(len, usage, format, pool)
            .unwrap();
        self.fill_indices(buffer, 0, &bytes, 0);
        self.d.set_indices(Some(buffer)).unwrap();
        buffer
    }

    pub(super) fn fill_indices(
        &mut self,
        buffer: IndexBufferHandle,
        at: u32,
        bytes: &[u8],
        flags: u32,
    ) {
        let d = &mut self.d;
        d.index_buffer_lock(buffer, at, bytes.len() as u32, flags)
            .unwrap();
        let place = d.index_buffer_bytes_mut(buffer).unwrap();
        place.copy_from_slice(&bytes[..place.len()]);
        d.index_buffer_unlock(buffer).unwrap();
    }

    /// What a program does with a pointer that it kept.
    pub(super) fn scribble_indices(&mut self, buffer: IndexBufferHandle, at: usize, bytes: &[u8]) {
        let buffer = self.d.index_buffers.get_mut(buffer.0).unwrap();
        buffer.data[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Draws a quad by the indices from `start` on. Whether these came from a copy; the colour is
    /// right either way.
    #[track_caller]
    fn draws_indexed(&mut self, start: u32, color: u32) -> bool {
        self.draws_part(D3DPT_TRIANGLESTRIP, 0, start, RUN - 2, color)
    }

    #[track_caller]
    fn draws_part(&mut self, kind: u32, base: i32, start: u32, count: u32, color: u32) -> bool {
        self.d
            .draw_indexed_primitive(kind, base, 0, 12, start, count)
            .unwrap();
        self.found(color)
    }

    #[track_caller]
    fn found(&mut self, color: u32) -> bool {
        let of_copies = !self.d.scratch.watch.seen_indices.is_empty();
        self.looks(color);
        of_copies
    }
}

macro_rules! scene {
    ($change:expr) => {
        match Scene::with($change) {
            Some(mut scene) => {
                scene.quads();
                scene
            }
            None => return,
        }
    };
    () => {
        scene!(|_| {})
    };
}

#[test]
fn one_copy_serves_every_range_and_both_widths() {
    let mut s = scene!();
    let mut copies = s.d.traffic().copies;
    for format in FORMATS {
        // One index before the quads, so that those of 16 bits begin between words.
        let all = [vec![0], of(RED), of(GREEN), of(BLUE)].concat();
        s.index_buffer(0, format, &all);
        for _ in 0..3 {
            for (start, color) in [(1, RED), (1 + RUN, GREEN), (1 + 2 * RUN, BLUE)] {
                assert!(s.draws_indexed(start, color));
            }
        }
        // What base and range make of them.
        let last = 1 + 2 * RUN;
        for (base, start, color) in [(4, 1, GREEN), (-4, last, GREEN), (-8, last, RED)] {
            assert!(s.draws_part(D3DPT_TRIANGLESTRIP, base, start, RUN - 2, color));
        }
        copies += 1 + u64::from(format == D3DFMT_INDEX16);
        assert_eq!(s.d.traffic().copies, copies, "the vertices' among them");
    }
    assert_eq!(s.d.traffic().mismatches, 0);
    let indices = u64::from(1 + 3 * RUN);
    let live = 3 * 4 * u64::from(STRIDE) + indices * (2 + 4);
    assert_eq!(s.d.traffic().cache_bytes, live);
}

/// Indices are read of a copy whether vertices are or not, and the other way round.
#[test]
fn vertices_and_indices_are_resident_by_themselves() {
    let mut s = scene!();
    s.index_buffer(0, D3DFMT_INDEX16, &of(GREEN));
    let all = [quad(RED), quad(GREEN)].concat();
    let dynamic = s.buffer(D3DUSAGE_DYNAMIC, &all);
    s.bind(dynamic);
    assert!(s.draws_indexed(0, GREEN));
    assert_eq!(s.d.traffic().copies, 1);
    let moved = s.d.traffic().arena_vertex_bytes;
    assert_eq!(moved, 4 * u64::from(STRIDE), "those that the indices name");
    s.index_buffer(D3DUSAGE_DYNAMIC, D3DFMT_INDEX16, &of(RED));
    s.quads();
    assert!(!s.draws_indexed(0, RED));
    assert_eq!(s.d.traffic().arena_vertex_bytes, moved);
    // Vertices past the end are zeros: copied, and so moved to where index 0 is.
    s.index_buffer(0, D3DFMT_INDEX16, &[of(GREEN), vec![900]].concat());
    assert!(s.draws_indexed(0, GREEN));
    s.d.draw_indexed_primitive(D3DPT_POINTLIST, 0, 0, 12, RUN, 1)
        .unwrap();
    assert!(!s.d.scratch.watch.seen_indices.is_empty());
    assert_eq!(s.check(), 0);
}

#[test]
fn locks_and_unlocks_end_a_copy_and_none_is_used_in_between() {
    let mut s = scene!();
    let buffer = s.index_buffer(0, D3DFMT_INDEX16, &of(RED));
    assert!(s.draws_indexed(0, RED));
    for flags in [0, D3DLOCK_READONLY, D3DLOCK_NOSYSLOCK] {
        let copies = s.d.traffic().copies;
        s.d.index_buffer_lock(buffer, 0, 2, flags).unwrap();
        assert!(!s.draws_indexed(0, RED), "locked");
        s.d.index_buffer_lock(buffer, 0, 0, flags).unwrap();
        s.d.index_buffer_unlock(buffer).unwrap();
        let blue = bytes_of(D3DFMT_INDEX16, &of(BLUE));
        s.d.index_buffer_bytes_mut(buffer)
            .unwrap()
            .copy_from_slice(&blue);
        assert!(!s.draws_indexed(0, BLUE), "locked still, and written");
        let red = bytes_of(D3DFMT_INDEX16, &of(RED));
        s.d.index_buffer_bytes_mut(buffer)
            .unwrap()
            .copy_from_slice(&red);
        s.d.index_buffer_unlock(buffer).unwrap();
        assert!(s.draws_indexed(0, RED));
        assert_eq!(s.d.traffic().copies, copies + 1);
    }
    // That was the fourth copy; a fifth is not made.
    s.fill_indices(buffer, 0, &bytes_of(D3DFMT_INDEX16, &of(GREEN)), 0);
    assert!(!s.draws_indexed(0, GREEN));
    s.fill_indices(buffer, 0, &bytes_of(D3DFMT_INDEX16, &of(BLUE)), 0);
    assert!(!s.draws_indexed(0, BLUE));
}

#[test]
fn dynamic_buffers_streaming_flags_and_lists_of_the_draw_are_copied() {
    let mut s = scene!();
    s.index_buffer(D3DUSAGE_DYNAMIC, D3DFMT_INDEX16, &of(RED));
    assert!(!s.draws_indexed(0, RED));
    for flags in [D3DLOCK_NOOVERWRITE, D3DLOCK_DISCARD] {
        let buffer = s.index_buffer(0, D3DFMT_INDEX32, &of(GREEN));
        assert!(s.draws_indexed(0, GREEN));
        s.fill_indices(buffer, 0, &bytes_of(D3DFMT_INDEX32, &of(BLUE)), flags);
        assert!(!s.draws_indexed(0, BLUE));
        s.fill_indices(buffer, 0, &bytes_of(D3DFMT_INDEX32, &of(RED)), 0);
        assert!(!s.draws_indexed(0, RED), "for good");
    }
    // A fan becomes a list, which no buffer holds.
    let copies = s.d.traffic().copies;
    let fan: Vec<u32> = [8, 9, 11]
        .into_iter()
        .chain([10; RUN as usize - 3])
        .collect();
    s.index_buffer(0, D3DFMT_INDEX16, &fan);
    assert!(!s.draws_part(D3DPT_TRIANGLEFAN, 0, 0, RUN - 2, BLUE));
    // The program's memory.
    let indices = bytes_of(D3DFMT_INDEX16, &of(RED));
    let vertices = quad(RED);
    s.d.draw_indexed_primitive_up(
        D3DPT_TRIANGLESTRIP,
        0,
        4,
        RUN - 2,
        &indices,
        D3DFMT_INDEX16,
        &vertices,
        STRIDE,
    )
    .unwrap();
    assert!(!s.found(RED));
    assert_eq!(s.d.traffic().copies, copies);
}

/// Triangles whose coordinates wrap have vertices of their own, and no indices.
#[test]
fn wrapping_draws_read_no_copy() {
    let mut s = scene!();
    let corners: Vec<u8> = quad(GREEN)
        .chunks_exact(20)
        .flat_map(|vertex| [vertex, &[0; 8]].concat())
        .collect();
    let vertices = s.buffer(0, &corners);
    s.d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
        .unwrap();
    s.d.set_stream_source(0, Some(vertices), 0, 28).unwrap();
    s.index_buffer(0, D3DFMT_INDEX16, &of(RED));
    assert!(s.draws_indexed(0, GREEN));
    // D3DWRAPCOORD_0.
    s.d.set_render_state(D3DRS_WRAP0, 1).unwrap();
    assert!(!s.draws_indexed(0, GREEN));
    s.d.set_render_state(D3DRS_WRAP0, 0).unwrap();
    assert!(s.draws_indexed(0, GREEN));
}

#[test]
fn writes_through_a_kept_pointer_are_drawn_and_end_the_copy() {
    let mut s = scene!();
    for format in FORMATS {
        let each = if format == D3DFMT_INDEX32 { 4 } else { 2 };
        let before = s.d.traffic().mismatches;
        let all = of(RED).repeat(3);
        let buffer = s.index_buffer(0, format, &all);
        assert!(s.draws_indexed(0, RED));
        s.scribble_indices(buffer, RUN as usize * each, &bytes_of(format, &of(GREEN)));
        // Indices that the draw does not read may be anything.
        assert!(s.draws_indexed(0, RED) && s.draws_indexed(2 * RUN, RED));
        assert_eq!(s.d.traffic().mismatches, before);
        assert!(!s.draws_indexed(RUN, GREEN), "drawn as it is now");
        assert_eq!(s.d.traffic().mismatches, before + 1);
        assert!(!s.draws_indexed(0, RED));
        s.fill_indices(buffer, 0, &bytes_of(format, &of(BLUE).repeat(3)), 0);
        assert!(!s.draws_indexed(0, BLUE), "no second chance");
        // One that names a vertex far away and then the same again.
        let buffer = s.index_buffer(0, format, &of(RED));
        for _ in 0..5 {
            assert!(s.draws_indexed(0, RED));
        }
        s.scribble_indices(buffer, 0, &bytes_of(format, &of(BLUE)));
        assert!(!s.draws_indexed(0, BLUE));
        s.scribble_indices(buffer, 0, &bytes_of(format, &of(GREEN)));
        assert!(!s.draws_indexed(0, GREEN));
    }
}

#[test]
fn copies_share_the_budget_of_vertices_and_go_with_their_buffers() {
    let (vertices, narrow) = (3 * 4 * u64::from(STRIDE), u64::from(2 * RUN));
    let room = vertices + 2 * narrow;
    let mut s = scene!(|settings: &mut DeviceSettings| settings.resident_budget = room);
    let first = s.index_buffer(0, D3DFMT_INDEX16, &of(RED));
    assert!(s.draws_indexed(0, RED));
    let second = s.index_buffer(0, D3DFMT_INDEX32, &of(GREEN));
    for fallbacks in 1..4 {
        assert!(!s.draws_indexed(0, GREEN), "half of it is left");
        assert_eq!(s.d.traffic().budget_fallbacks, fallbacks);
    }
    s.d.release(first).unwrap();
    assert!(s.draws_indexed(0, GREEN));
    assert_eq!(s.d.traffic().cache_bytes, room);
    // Bound still, and then not.
    s.d.release(second).unwrap();
    assert!(s.draws_indexed(0, GREEN));
    for round in 0..6 {
        let color = [RED, BLUE][round % 2];
        let buffer = s.index_buffer(0, D3DFMT_INDEX16, &of(color));
        s.d.draw_indexed_primitive(D3DPT_TRIANGLESTRIP, 0, 0, 12, 0, RUN - 2)
            .unwrap();
        assert_eq!(s.d.traffic().cache_bytes, vertices + narrow);
        // The last draw reads the copy of a buffer that is gone by then.
        s.d.set_indices(None).unwrap();
        s.d.release(buffer).unwrap();
        assert_eq!(s.d.traffic().cache_bytes, vertices);
        s.looks(color);
    }
}

#[test]
fn primitives_past_the_end_are_left_out() {
    let mut s = scene!();
    for format in FORMATS {
        // An odd number of bytes at the end belongs to no index.
        let mut bytes = bytes_of(format, &[of(RED), of(GREEN)].concat());
        bytes.push(1);
        let len = bytes.len() as u32;
        let buffer =
            s.d.create_index_buffer(len, 0, format, D3DPOOL_MANAGED)
                .unwrap();
        s.fill_indices(buffer, 0, &bytes, 0);
        s.d.set_indices(Some(buffer)).unwrap();
        for (start, color) in [(RUN, GREEN), (0, GREEN), (RUN, GREEN)] {
            s.d.clear(&[], D3DCLEAR_TARGET, RED, 1.0, 0).unwrap();
            let d = &mut s.d;
            d.draw_indexed_primitive(D3DPT_TRIANGLESTRIP, 0, 0, 12, start, 1000)
                .unwrap();
            let left = (2 * RUN - start) * (len - 1) / (2 * RUN);
            let read = &d.scratch.watch.seen_indices[0].range;
            assert_eq!(read.len(), left as usize);
            assert!(s.found(color));
        }
        for start in [2 * RUN, 2 * RUN + 1, u32::MAX / 4, u32::MAX] {
            s.d.draw_indexed_primitive(D3DPT_TRIANGLESTRIP, 0, 0, 12, start, 2)
                .unwrap();
            assert!(!s.found(GREEN), "nothing is drawn");
        }
    }
}

#[test]
fn fast_paths_switch_between_any_two_draws() {
    let mut s = scene!();
    let buffer = s.index_buffer(0, D3DFMT_INDEX16, &of(RED));
    for _ in 0..3 {
        s.d.set_draw_fast_paths(false).unwrap();
        assert!(!s.draws_indexed(0, RED));
        s.d.set_draw_fast_paths(true).unwrap();
        assert!(s.draws_indexed(0, RED));
    }
    assert_eq!(s.d.traffic().copies, 2, "one of them of vertices");
    s.d.set_draw_fast_paths(false).unwrap();
    s.fill_indices(buffer, 0, &bytes_of(D3DFMT_INDEX16, &of(GREEN)), 0);
    s.d.set_draw_fast_paths(true).unwrap();
    assert!(s.draws_indexed(0, GREEN));
}

/// Few indices are copied unless the draw before had the same buffer.
#[test]
fn short_lists_are_read_of_copies_while_they_are_at_hand() {
    let mut s = scene!();
    let strip = |s: &mut Scene, color| s.draws_part(D3DPT_TRIANGLESTRIP, 0, 0, 2, color);
    let red = s.index_buffer(0, D3DFMT_INDEX16, &of(RED)[..4]);
    assert!(!strip(&mut s, RED));
    assert!(strip(&mut s, RED) && strip(&mut s, RED));
    let green = s.index_buffer(0, D3DFMT_INDEX32, &of(GREEN)[..4]);
    for _ in 0..3 {
        s.d.set_indices(Some(green)).unwrap();
        assert!(!strip(&mut s, GREEN));
        s.d.set_indices(Some(red)).unwrap();
        assert!(!strip(&mut s, RED));
    }
    s.d.set_indices(Some(green)).unwrap();
    assert!(!strip(&mut s, GREEN) && strip(&mut s, GREEN));
    // Written to behind our back, and drawn as it is both times.
    s.scribble_indices(green, 0, &bytes_of(D3DFMT_INDEX32, &of(BLUE)[..4]));
    s.d.set_indices(Some(red)).unwrap();
    assert!(!strip(&mut s, RED));
    s.d.set_indices(Some(green)).unwrap();
    assert!(!strip(&mut s, BLUE));
    assert_eq!(s.d.traffic().mismatches, 0, "not looked at");
    assert!(!strip(&mut s, BLUE));
    assert_eq!(s.d.traffic().mismatches, 1);
}
