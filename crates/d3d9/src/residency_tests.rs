//! Draws from static buffers, each looked at as it is handed to the renderer: what it reads, of the
//! buffer or of a copy on the GPU, is what the program's memory holds at that moment.

mod index_buffers;
mod indices;
mod report;
mod sequences;
#[path = "../tests/common/told.rs"]
mod told;

use core::ops::Range;

use ninefold_renderer::{Draw, GeometryBuffer, StreamData};

use crate::buffer::Buffer;
use crate::consts::*;
use crate::draw_streams::Wanted;
use crate::handle::Slots;
use crate::*;

/// A stream of a draw, or its indices, that was read of a copy on the GPU.
#[derive(Debug)]
struct Seen {
    stream: usize,
    copy: GeometryBuffer,
    range: Range<usize>,
    /// The program's bytes when it was drawn.
    bytes: Vec<u8>,
}

/// Looks at draws.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    on: bool,
    seen: Vec<Seen>,
    /// Of the indices; their stream is 0.
    seen_indices: Vec<Seen>,
    /// Draws so far that had any.
    index_copies_read: usize,
    /// Streams that were read of the program's memory.
    copied: Vec<usize>,
    /// By draw the vertices of stream 0 in the order that they are read, counted from its offset.
    orders: Vec<Vec<i64>>,
}

impl Watch {
    /// Works out what the vertex fetch of `draw` reads, from the draw alone, and what it should,
    /// from the device's state alone.
    pub(crate) fn see(
        &mut self,
        draw: &Draw<'_>,
        low: u32,
        wanted: &Wanted<'_>,
        buffers: &Slots<Buffer>,
        indices: Option<&Buffer>,
    ) {
        if !self.on {
            return;
        }
        let seen = indices::seen(draw, indices);
        self.index_copies_read += usize::from(seen.is_some());
        self.seen_indices.extend(seen);
        let named = indices::named(draw, indices);
        if let (Some(low), Some(high)) = (named.iter().min(), named.iter().max()) {
            assert_eq!(draw.extent, Some((*low, *high)));
            assert_eq!(wanted.used, u64::from(high - low) + 1);
        }
        let origin = match draw.indices {
            None => i64::from(draw.first),
            Some(_) => i64::from(low) + i64::from(draw.base_vertex),
        };
        for n in (0..16).filter(|n| wanted.declaration.streams >> n & 1 != 0) {
            let stream = &wanted.streams[n];
            let Some(buffer) = stream.buffer.and_then(|b| buffers.get(b)) else {
                continue;
            };
            if wanted.user.is_some() && n == 0 {
                continue;
            }
            let (first, count) = match stream.instanced() {
                true => (i64::from(wanted.instance), 1),
                false => (wanted.first_vertex, wanted.used),
            };
            let len = wanted.declaration.needed(n, stream.stride, count) as usize;
            let start = i64::from(stream.offset) + first * i64::from(stream.stride);
            let step = i64::from(stream.step());
            if n == 0 && step != 0 {
                self.orders
                    .extend(indices::order(draw, stream, buffer, indices));
            }
            // Vertices before the first are zeros, whatever lies there.
            let expected = usize::try_from(start)
                .ok()
                .filter(|_| first >= 0)
                .and_then(|start| buffer.data.get(start..start + len));
            match draw.streams[n] {
                StreamData::None => panic!("stream {n} is bound"),
                StreamData::Bytes(bytes) => {
                    self.copied.push(n);
                    let spread = wanted.declaration.drawn_stride(n, stream.step());
                    if let Some(expected) = expected
                        && i64::from(spread) == step
                    {
                        let at = (origin * step) as usize;
                        assert!(bytes[at..at + len] == *expected, "stream {n}");
                    }
                }
                StreamData::Resident {
                    buffer: copy,
                    offset,
                    size,
                } => {
                    let at = offset as i64 + origin * step;
                    let range = at as usize..at as usize + len;
                    assert!(range.end as u64 <= offset + size, "stream {n}: {range:?}");
                    self.seen.push(Seen {
                        stream: n,
                        copy: copy.clone(),
                        range,
                        bytes: expected.expect("inside the buffer").to_vec(),
                    });
                }
            }
        }
    }
}

const FVF: u32 = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
const STRIDE: u32 = 20;
const EDGE: u32 = 4;
const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;

struct Scene {
    d: Device,
}

/// A quad over the whole target, as a strip.
fn quad(color: u32) -> Vec<u8> {
    let edge = EDGE as f32;
    [(0.0, 0.0), (edge, 0.0), (0.0, edge), (edge, edge)]
        .into_iter()
        .flat_map(|(x, y): (f32, f32)| {
            let words = [x - 0.5, y - 0.5, 0.5, 1.0].map(f32::to_bits);
            words.into_iter().chain([color]).flat_map(u32::to_le_bytes)
        })
        .collect()
}

impl Scene {
    fn with(change: impl FnOnce(&mut DeviceSettings)) -> Option<Self> {
        let mut settings = DeviceSettings {
            adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
            validation: std::env::var_os("NINEFOLD_VALIDATION").is_some(),
            resident_budget: 1 << 20,
            ..DeviceSettings::default()
        };
        change(&mut settings);
        let direct3d = match Direct3D9::new(settings) {
            Ok(direct3d) => direct3d,
            Err(error) if std::env::var_os("NINEFOLD_REQUIRE_GPU").is_some() => panic!("{error}"),
            Err(error) => {
                eprintln!("skipped: {error}");
                return None;
            }
        };
        let parameters = PresentParameters::windowed(EDGE, EDGE);
        let mut d = direct3d.create_device(&parameters).unwrap();
        d.scratch.watch.on = true;
        d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
        d.set_render_state(D3DRS_ZENABLE, 0).unwrap();
        d.set_fvf(FVF).unwrap();
        Some(Self { d })
    }

    fn buffer(&mut self, usage: u32, bytes: &[u8]) -> VertexBufferHandle {
        let pool = match usage & D3DUSAGE_DYNAMIC {
            0 => D3DPOOL_MANAGED,
            _ => D3DPOOL_DEFAULT,
        };
        let len = bytes.len() as u32;
        let buffer = self.d.create_vertex_buffer(len, usage, FVF, pool).unwrap();
        self.fill(buffer, 0, bytes, 0);
        buffer
    }

    fn fill(&mut self, buffer: VertexBufferHandle, at: u32, bytes: &[u8], flags: u32) {
        let d = &mut self.d;
        d.vertex_buffer_lock(buffer, at, bytes.len() as u32, flags)
            .unwrap();
        d.vertex_buffer_bytes_mut(buffer)
            .unwrap()
            .copy_from_slice(bytes);
        d.vertex_buffer_unlock(buffer).unwrap();
    }

    /// What a program does with a pointer that it kept.
    fn scribble(&mut self, buffer: VertexBufferHandle, at: usize, bytes: &[u8]) {
        let buffer = self.d.vertex_buffers.get_mut(buffer.0).unwrap();
        buffer.data[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn bind(&mut self, buffer: VertexBufferHandle) {
        self.d
            .set_stream_source(0, Some(buffer), 0, STRIDE)
            .unwrap();
    }

    /// Draws a quad from vertex `first` on. Whether stream 0 came from a copy; the colour is right
    /// either way.
    #[track_caller]
    fn draws(&mut self, first: u32, color: u32) -> bool {
        self.d
            .draw_primitive(D3DPT_TRIANGLESTRIP, first, 2)
            .unwrap();
        self.looks(color)
    }

    #[track_caller]
    fn looks(&mut self, color: u32) -> bool {
        let back = self.d.get_back_buffer(0, 0).unwrap();
        let picture = self.d.read_surface(back).unwrap();
        self.d.release(back).unwrap();
        let want = &color.to_le_bytes()[..3];
        assert!(
            picture.bgra.chunks_exact(4).all(|p| p[..3] == *want),
            "not {color:08X}: {:?}",
            &picture.bgra[..4]
        );
        self.check() != 0
    }

    /// Compares what the GPU holds with what each draw should have read. Streams read of copies.
    #[track_caller]
    fn check(&mut self) -> usize {
        let watch = &mut self.d.scratch.watch;
        let seen = core::mem::take(&mut watch.seen);
        let indices = core::mem::take(&mut watch.seen_indices);
        watch.copied.clear();
        watch.orders.clear();
        let mut last: Option<(u32, Vec<u8>)> = None;
        for one in seen.iter().chain(&indices) {
            if last.as_ref().is_none_or(|(id, _)| *id != one.copy.id()) {
                last = Some((
                    one.copy.id(),
                    self.d.renderer.read_buffer(&one.copy).unwrap(),
                ));
            }
            let (_, bytes) = last.as_ref().unwrap();
            assert!(
                bytes[one.range.clone()] == one.bytes,
                "stream {} of {:?}, bytes {:?}",
                one.stream,
                one.copy,
                one.range
            );
        }
        seen.len()
    }
}

macro_rules! scene {
    ($($change:expr)?) => {
        match Scene::with(|settings| { let _ = &settings; $($change(settings))? }) {
            Some(scene) => scene,
            None => return,
        }
    };
}

mod fallbacks;

#[test]
fn a_static_buffer_is_copied_once_and_read_by_every_draw() {
    let mut s = scene!();
    let buffer = s.buffer(0, &[quad(RED), quad(GREEN)].concat());
    s.bind(buffer);
    for _ in 0..3 {
        assert!(s.draws(0, RED));
        assert!(s.draws(4, GREEN));
    }
    let traffic = s.d.traffic();
    assert_eq!((traffic.copies, traffic.mismatches), (1, 0));
    assert_eq!((traffic.resident_draws, traffic.arena_vertex_bytes), (6, 0));
    assert_eq!(traffic.resident_bytes, 6 * 80);
    assert_eq!((traffic.cache_bytes, traffic.peak_cache_bytes), (160, 160));
}

#[test]
fn locks_and_unlocks_end_a_copy_and_none_is_used_in_between() {
    let mut s = scene!();
    let buffer = s.buffer(0, &quad(RED));
    s.bind(buffer);
    assert!(s.draws(0, RED));
    for flags in [0, D3DLOCK_READONLY, D3DLOCK_NOSYSLOCK] {
        let copies = s.d.traffic().copies;
        s.d.vertex_buffer_lock(buffer, 0, 4, flags).unwrap();
        assert_eq!(s.d.traffic().cache_bytes, 0);
        assert!(!s.draws(0, RED), "locked");
        // Locked twice, unlocked once.
        s.d.vertex_buffer_lock(buffer, 0, 0, flags).unwrap();
        s.d.vertex_buffer_unlock(buffer).unwrap();
        assert!(!s.draws(0, RED), "locked still");
        let color = [BLUE, GREEN, RED][copies as usize % 3];
        s.d.vertex_buffer_bytes_mut(buffer)
            .unwrap()
            .copy_from_slice(&quad(color));
        assert!(!s.draws(0, color), "locked, and written");
        s.fill_done(buffer, RED);
        assert!(s.draws(0, RED));
        assert!(s.draws(0, RED));
        assert_eq!(s.d.traffic().copies, copies + 1);
    }
}

impl Scene {
    /// Ends a lock of all of a buffer with a last change.
    fn fill_done(&mut self, buffer: VertexBufferHandle, color: u32) {
        self.d
            .vertex_buffer_bytes_mut(buffer)
            .unwrap()
            .copy_from_slice(&quad(color));
        self.d.vertex_buffer_unlock(buffer).unwrap();
    }
}

#[test]
fn four_copies_and_then_never_again() {
    let mut s = scene!();
    let buffer = s.buffer(0, &quad(RED));
    s.bind(buffer);
    for change in 0..8 {
        let color = [RED, GREEN, BLUE][change % 3];
        s.fill(buffer, 0, &quad(color), 0);
        assert_eq!(s.draws(0, color), change < 4);
    }
    assert_eq!(s.d.traffic().copies, 4);
    // Changes that nothing is drawn between count once.
    let other = s.buffer(0, &quad(RED));
    s.bind(other);
    for _ in 0..20 {
        s.fill(other, 0, &quad(GREEN), 0);
    }
    assert!(s.draws(0, GREEN));
    assert_eq!(s.d.traffic().copies, 5);
}

#[test]
fn dynamic_buffers_and_the_flags_of_streaming_are_copied_for_each_draw() {
    let mut s = scene!();
    let dynamic = s.buffer(D3DUSAGE_DYNAMIC, &quad(RED));
    s.bind(dynamic);
    assert!(!s.draws(0, RED));
    for flags in [D3DLOCK_NOOVERWRITE, D3DLOCK_DISCARD] {
        let buffer = s.buffer(0, &quad(GREEN));
        s.bind(buffer);
        assert!(s.draws(0, GREEN));
        s.fill(buffer, 0, &quad(BLUE), flags);
        assert!(!s.draws(0, BLUE));
        s.fill(buffer, 0, &quad(RED), 0);
        assert!(!s.draws(0, RED), "for good");
    }
    assert_eq!(s.d.traffic().copies, 2);
}

#[test]
fn writes_through_a_kept_pointer_are_drawn_and_end_the_copy() {
    let mut s = scene!();
    let buffer = s.buffer(0, &[quad(RED), quad(RED)].concat());
    s.bind(buffer);
    assert!(s.draws(0, RED));
    s.scribble(buffer, 80, &quad(GREEN));
    // The first quad is what it was.
    assert!(s.draws(0, RED));
    assert_eq!(s.d.traffic().mismatches, 0);
    assert!(!s.draws(4, GREEN), "drawn as it is now");
    assert_eq!(s.d.traffic().mismatches, 1);
    assert_eq!(s.d.traffic().cache_bytes, 0);
    assert!(!s.draws(0, RED));
    s.fill(buffer, 0, &quad(BLUE), 0);
    assert!(!s.draws(0, BLUE), "no second chance");
    // One bit of a colour, after the copy was used many times.
    let buffer = s.buffer(0, &quad(RED));
    s.bind(buffer);
    for _ in 0..5 {
        assert!(s.draws(0, RED));
    }
    for vertex in 0..4 {
        s.scribble(buffer, vertex * 20 + 16, &[1]);
    }
    assert!(!s.draws(0, RED | 1));
}

#[test]
fn user_memory_and_unaligned_streams_are_copied() {
    let mut s = scene!();
    let red = quad(RED);
    s.d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &red, STRIDE)
        .unwrap();
    assert!(!s.looks(RED));
    let indices: Vec<u8> = [0u16, 1, 2, 3]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    s.d.draw_indexed_primitive_up(
        D3DPT_TRIANGLESTRIP,
        0,
        4,
        2,
        &indices,
        D3DFMT_INDEX16,
        &quad(GREEN),
        STRIDE,
    )
    .unwrap();
    assert!(!s.looks(GREEN));
    for offset in [1u32, 2, 3] {
        let mut bytes = vec![0; offset as usize];
        bytes.extend(quad(BLUE));
        bytes.push(0);
        let buffer = s.buffer(0, &bytes);
        s.d.set_stream_source(0, Some(buffer), offset, STRIDE)
            .unwrap();
        assert!(!s.draws(0, BLUE));
    }
    // A stride that is no multiple of four.
    let mut wide = Vec::new();
    for vertex in quad(RED).chunks_exact(20) {
        wide.extend(vertex);
        wide.push(0);
    }
    let buffer = s.buffer(0, &wide);
    s.d.set_stream_source(0, Some(buffer), 0, 21).unwrap();
    assert!(!s.draws(0, RED));
    assert_eq!(s.d.traffic().copies, 0);
    assert_eq!(s.d.traffic().resident_draws, 0);
    // An aligned offset is fine, and the last vertex may end with its last element.
    let mut bytes = vec![0; 8];
    bytes.extend(quad(GREEN));
    let buffer = s.buffer(0, &bytes);
    s.d.set_stream_source(0, Some(buffer), 8, STRIDE).unwrap();
    assert!(s.draws(0, GREEN));
    s.d.set_stream_source(0, Some(buffer), 0, STRIDE).unwrap();
    // One past the end reads zeros: not a range of the buffer.
    s.d.draw_primitive(D3DPT_POINTLIST, 4, 1).unwrap();
    assert_eq!(s.check(), 0);
}

#[test]
fn a_copy_goes_with_its_buffer_and_a_new_one_in_its_place_has_its_own() {
    let mut s = scene!();
    for round in 0..6u32 {
        let color = [RED, GREEN, BLUE][round as usize % 3];
        let buffer = s.buffer(0, &quad(color));
        s.bind(buffer);
        s.d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2).unwrap();
        assert_eq!(s.d.traffic().cache_bytes, 80);
        s.d.release(buffer).unwrap();
        assert_eq!(s.d.traffic().cache_bytes, 80, "bound");
        s.d.set_stream_source(0, None, 0, 0).unwrap();
        assert_eq!(s.d.traffic().cache_bytes, 0);
        // The draw is not submitted yet, the copy is gone already.
        assert!(s.looks(color));
        assert_eq!(s.d.traffic().copies, u64::from(round) + 1);
    }
    assert_eq!(s.d.traffic().peak_cache_bytes, 80);
}

#[test]
fn the_budget_is_kept_and_asked_again() {
    let mut s = scene!();
    // Three of 400 KiB in 1 MiB: two fit.
    let fill = |color: u32| {
        let mut bytes = quad(color);
        bytes.resize(400 << 10, 0);
        bytes
    };
    let colors = [RED, GREEN, BLUE];
    let buffers = colors.map(|color| s.buffer(0, &fill(color)));
    for (n, (buffer, color)) in buffers.into_iter().zip(colors).enumerate() {
        s.bind(buffer);
        assert_eq!(s.draws(0, color), n < 2);
    }
    assert_eq!(s.d.traffic().budget_fallbacks, 1);
    assert_eq!(s.d.traffic().cache_bytes, 800 << 10);
    assert!(!s.draws(0, BLUE));
    assert_eq!(s.d.traffic().budget_fallbacks, 2);
    s.d.release(buffers[0]).unwrap();
    assert!(s.draws(0, BLUE), "there is room now");
    assert_eq!(s.d.traffic().budget_fallbacks, 2);
    assert_eq!(s.d.traffic().copies, 3);
    // One that never fits.
    let mut large = quad(RED);
    large.resize((1 << 20) + 4, 0);
    let large = s.buffer(0, &large);
    s.bind(large);
    assert!(!s.draws(0, RED));
    assert_eq!(s.d.traffic().peak_cache_bytes, 800 << 10);
}

#[test]
fn fast_paths_switch_between_any_two_draws() {
    let mut s = scene!();
    let buffer = s.buffer(0, &quad(RED));
    s.bind(buffer);
    assert!(s.d.traffic().fast);
    for round in 0..4 {
        s.d.set_draw_fast_paths(false).unwrap();
        assert!(!s.d.traffic().fast);
        assert!(!s.draws(0, RED));
        s.d.set_draw_fast_paths(true).unwrap();
        assert!(s.draws(0, RED));
        assert_eq!(s.d.traffic().copies, 1, "round {round}");
    }
    // What happens meanwhile counts.
    s.d.set_draw_fast_paths(false).unwrap();
    s.fill(buffer, 0, &quad(GREEN), 0);
    s.d.set_draw_fast_paths(true).unwrap();
    assert!(s.draws(0, GREEN));
    s.d.set_draw_fast_paths(false).unwrap();
    s.scribble(buffer, 0, &quad(BLUE));
    assert!(!s.draws(0, BLUE));
    s.d.set_draw_fast_paths(true).unwrap();
    assert!(!s.draws(0, BLUE));
    assert_eq!(s.d.traffic().mismatches, 1);
    // Off from the start.
    let mut s = scene!(|settings: &mut DeviceSettings| settings.renderer.draw_fast_paths = false);
    let buffer = s.buffer(0, &quad(RED));
    s.bind(buffer);
    assert!(!s.draws(0, RED));
    assert_eq!(s.d.traffic().copies, 0);
}

#[test]
fn state_blocks_bind_buffers_as_programs_do() {
    let mut s = scene!();
    let (red, green) = (s.buffer(0, &quad(RED)), s.buffer(0, &quad(GREEN)));
    s.bind(red);
    let block = s.d.create_state_block(D3DSBT_ALL).unwrap();
    s.bind(green);
    assert!(s.draws(0, GREEN));
    s.d.state_block_apply(block).unwrap();
    assert!(s.draws(0, RED));
    assert_eq!(s.d.traffic().copies, 2);
    // Held by the block alone, changed, brought back.
    s.bind(green);
    s.fill(red, 0, &quad(BLUE), 0);
    s.d.release(red).unwrap();
    assert!(s.draws(0, GREEN));
    s.d.state_block_apply(block).unwrap();
    assert!(s.draws(0, BLUE));
    s.bind(green);
    let before = s.d.traffic().cache_bytes;
    s.d.release(block).unwrap();
    assert_eq!(s.d.traffic().cache_bytes, before - 80);
}

#[test]
fn secondary_streams_have_copies_of_their_own() {
    let mut s = scene!();
    let element = |stream, offset, ty, usage| VertexElement {
        stream,
        offset,
        ty,
        method: 0,
        usage,
        usage_index: 0,
    };
    let declaration = [
        element(0, 0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT),
        element(3, 0, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR),
    ];
    let declaration = s.d.create_vertex_declaration(&declaration).unwrap();
    s.d.set_vertex_declaration(Some(declaration)).unwrap();
    let positions: Vec<u8> = quad(0)
        .chunks_exact(20)
        .flat_map(|v| v[..16].to_vec())
        .collect();
    let colors = |color: u32| color.to_le_bytes().repeat(4);
    let both = |color| [colors(BLUE), colors(color)].concat();
    let shapes = s.buffer(0, &[positions.clone(), positions].concat());
    let paints = s.buffer(0, &both(RED));
    s.d.set_stream_source(0, Some(shapes), 0, 16).unwrap();
    s.d.set_stream_source(3, Some(paints), 0, 4).unwrap();
    let draw = |s: &mut Scene, color: u32| {
        s.d.draw_primitive(D3DPT_TRIANGLESTRIP, 4, 2).unwrap();
        let streams: Vec<usize> =
            s.d.scratch
                .watch
                .seen
                .iter()
                .map(|one| one.stream)
                .collect();
        s.looks(color);
        streams
    };
    assert_eq!(draw(&mut s, RED), [0, 3]);
    // Either may be the one that is copied.
    s.fill(paints, 0, &both(GREEN), D3DLOCK_DISCARD);
    assert_eq!(draw(&mut s, GREEN), [0]);
    let paints = s.buffer(0, &both(RED));
    s.d.set_stream_source(3, Some(paints), 0, 4).unwrap();
    assert_eq!(draw(&mut s, RED), [0, 3]);
    s.scribble(shapes, 16 * 4 + 8, &0.25f32.to_le_bytes());
    assert_eq!(draw(&mut s, RED), [3]);
    s.scribble(paints, 16, &colors(BLUE));
    assert_eq!(draw(&mut s, BLUE), [0; 0]);
    assert_eq!(s.d.traffic().mismatches, 2);
    // With indices, one buffer as both streams, and a base.
    let all = [quad(RED), quad(GREEN)].concat();
    let whole = s.buffer(0, &all);
    s.d.set_stream_source(0, Some(whole), 0, STRIDE).unwrap();
    s.d.set_stream_source(3, Some(whole), 16, STRIDE).unwrap();
    assert_eq!(draw(&mut s, GREEN), [0, 3]);
    let indices =
        s.d.create_index_buffer(8, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
            .unwrap();
    s.d.index_buffer_lock(indices, 0, 0, 0).unwrap();
    s.d.index_buffer_bytes_mut(indices)
        .unwrap()
        .copy_from_slice(&[2, 0, 3, 0, 4, 0, 5, 0]);
    s.d.index_buffer_unlock(indices).unwrap();
    s.d.set_indices(Some(indices)).unwrap();
    for (base, color) in [(2, GREEN), (-2, RED)] {
        s.d.draw_indexed_primitive(D3DPT_TRIANGLESTRIP, base, 0, 8, 0, 2)
            .unwrap();
        assert!(s.looks(color));
    }
    assert_eq!(s.d.traffic().mismatches, 2);
}

#[test]
fn processed_vertices_end_the_copy_of_what_they_are_written_to() {
    let mut s = scene!();
    let target = s.buffer(0, &quad(RED));
    s.bind(target);
    assert!(s.draws(0, RED));
    // Vertices in pixels stay what they are.
    let source = s.buffer(0, &quad(GREEN));
    s.bind(source);
    assert!(s.draws(0, GREEN));
    s.d.process_vertices(0, 0, 4, target, None, 0).unwrap();
    assert_eq!(s.d.traffic().cache_bytes, 80, "the source's");
    s.bind(target);
    assert!(s.draws(0, GREEN));
    assert_eq!((s.d.traffic().copies, s.d.traffic().mismatches), (3, 0));
    // A call that fails changes nothing that is seen.
    s.d.process_vertices(0, 3, 4, target, None, 0).unwrap_err();
    assert!(s.draws(0, GREEN));
}
