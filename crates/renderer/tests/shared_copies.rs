//! Small copies of vertices and indices that lie in the same memory.

mod common;

use common::raw::{Owned, RHW, strides};
use common::{pixels, quad};
use ninefold_renderer::{ErrorKind, GeometryBuffer, IndexData, Renderer, RhwVertex, StreamData};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;
const SLAB: u64 = 2 << 20;

fn cell(x: u32, color: u32) -> [RhwVertex; 6] {
    let x = x as f32;
    quad(x, 0.0, x + 1.0, 1.0, 0.5, color)
}

fn bytes_of(vertices: &[RhwVertex]) -> StreamData<'_> {
    StreamData::Bytes(bytemuck::cast_slice(vertices))
}

fn copy(r: &mut Renderer, vertices: &[RhwVertex], skipped: usize) -> GeometryBuffer {
    let bytes = [&vec![0xEE; skipped], bytemuck::cast_slice(vertices)].concat();
    r.create_copy(&bytes).unwrap()
}

/// Draws of copies that begin anywhere, made between draws and gone before the GPU begins.
#[test]
fn each_draw_reads_its_own_copy() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(8, 1).unwrap();
    let owned = Owned::new(&mut r, 8, 1, &RHW, &strides(28));
    let colors: [u32; 8] = core::array::from_fn(|n| RED + n as u32);
    let order: [u16; 6] = [0, 1, 2, 3, 4, 5];
    let mut passes = 0;
    for (n, &color) in colors.iter().enumerate() {
        // Vertices begin at other remainders of their size in each.
        let buffer = copy(&mut r, &cell(n as u32, color), 4 * n);
        let streams = [StreamData::Resident {
            buffer: &buffer,
            offset: 4 * n as u64,
            size: 28 * 6,
        }];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        if n % 2 == 1 {
            draw.indices = Some(IndexData::U16(&order));
        }
        r.draw(&draw).unwrap();
        if n == 0 {
            passes = r.stats().passes;
        }
    }
    assert_eq!(r.stats().passes, passes, "copies end no pass");
    assert_eq!(r.shared_copy_bytes(), (SLAB, 0));
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), colors);
}

/// The same memory bound by draws of one stream and of two, of copied vertices in between, and of
/// parts of a copy.
#[test]
fn what_is_bound_is_what_the_draw_reads() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 1).unwrap();
    let owned = Owned::new(&mut r, 4, 1, &RHW, &strides(28));
    let all: Vec<RhwVertex> = (0..4).flat_map(|n| cell(n, RED + n)).collect();
    let first = copy(&mut r, &all, 0);
    let second = copy(&mut r, &cell(1, GREEN), 0);
    let of = |buffer, offset: u64, size: u64| StreamData::Resident {
        buffer,
        offset,
        size,
    };
    let cells = 28 * 6;
    let plain = cell(3, BLUE);
    let draws = [
        (of(&first, 0, 4 * cells), 0),
        (of(&second, 0, cells), 0),
        (of(&first, 2 * cells, 2 * cells), 0),
        (StreamData::Bytes(bytemuck::cast_slice(&plain)), 0),
    ];
    for (stream, first) in draws {
        let streams = [stream];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.first = first;
        r.draw(&draw).unwrap();
    }
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN, RED + 2, BLUE]);
    // Past the copy's end lies another.
    let streams = [of(&first, 3 * cells, cells)];
    let mut draw = owned.draw(&mut r, &context, &streams, 6);
    draw.first = 1;
    assert!(r.draw(&draw).is_err());
    // One that is written later shows later.
    let streams = [of(&second, 0, cells)];
    for color in [RED, BLUE] {
        r.write_buffer(&second, 0, bytemuck::cast_slice(&cell(1, color)))
            .unwrap();
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixels(&bytes), [RED, color, RED + 2, BLUE]);
    }
}

#[test]
fn memory_is_shared_while_most_of_it_lives() {
    let mut r = gpu_or_skip!();
    let bytes = |n: usize, size: usize| -> Vec<u8> {
        (0..size).map(|at| (n * 31 + at * 7 % 251) as u8).collect()
    };
    let large = r.create_copy(&bytes(0, (64 << 10) + 1)).unwrap();
    assert_eq!(r.shared_copy_bytes(), (0, 0), "it has its own");
    // Three slabs.
    let mut copies: Vec<_> = (0..96)
        .map(|n| (n, 64 << 10, r.create_copy(&bytes(n, 64 << 10)).unwrap()))
        .collect();
    assert_eq!(r.shared_copy_bytes(), (3 * SLAB, 3 * SLAB));
    // One of each stays, and no slab is made for what comes then.
    copies.retain(|(n, ..)| n % 32 == 0);
    let live = 3 * (64 << 10);
    assert_eq!(r.shared_copy_bytes(), (3 * SLAB, live));
    for n in 0..40 {
        let size = 1 + n * 13;
        copies.push((n, size, r.create_copy(&bytes(n, size)).unwrap()));
        let (held, live) = r.shared_copy_bytes();
        assert!(held <= 3 * SLAB && live < SLAB);
    }
    for (n, size, copy) in &copies {
        assert!(r.read_buffer(copy).unwrap() == bytes(*n, *size), "{copy:?}");
    }
    // With their last copies they go.
    copies.clear();
    assert!(r.shared_copy_bytes().0 <= SLAB);
    let again = r.create_copy(&bytes(1, 7)).unwrap();
    assert_eq!(r.shared_copy_bytes(), (SLAB, 16));
    assert!(r.read_buffer(&again).unwrap() == bytes(1, 7));
    assert!(r.read_buffer(&large).unwrap() == bytes(0, (64 << 10) + 1));
}

/// Indices of which the caller knows the smallest and the largest: vertices may be anywhere then, and
/// copies share memory.
#[test]
fn resident_indices_of_known_extent_go_with_any_vertices() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 1).unwrap();
    let owned = Owned::new(&mut r, 4, 1, &RHW, &strides(28));
    let all: Vec<RhwVertex> = (0..4).flat_map(|n| cell(n, RED + n)).collect();
    // Six indices of each cell, after some of another; narrow, wide, and in memory of their own.
    let narrow: Vec<u16> = (0..25).map(|n| if n == 0 { 999 } else { n - 1 }).collect();
    let wide: Vec<u32> = narrow.iter().map(|&n| n.into()).collect();
    let narrow = r.create_copy(bytemuck::cast_slice(&narrow)).unwrap();
    let padding = r.create_copy(&[0xEE; 20]).unwrap();
    let wide = r.create_copy(bytemuck::cast_slice(&wide)).unwrap();
    let own = r.create_buffer(24).unwrap();
    let last: [u16; 12] = [9, 9, 9, 9, 9, 9, 18, 19, 20, 21, 22, 23];
    r.write_buffer(&own, 0, bytemuck::cast_slice(&last))
        .unwrap();
    let vertices = r.create_copy(bytemuck::cast_slice(&all)).unwrap();
    let resident = StreamData::Resident {
        buffer: &vertices,
        offset: 0,
        size: vertices.size(),
    };
    let of = |buffer, offset, size, wide| IndexData::Resident {
        buffer,
        offset,
        size,
        wide,
    };
    let copied = bytes_of(&all);
    let before = r.traffic();
    // By cell: vertices, indices, the first, and what has to be added to name the cell.
    let draws = [
        (copied, of(&narrow, 2, 48, false), 0, 0, (0, 5)),
        (resident, of(&wide, 4, 96, true), 12, -6, (12, 17)),
        (resident, of(&narrow, 0, 50, false), 13, 0, (12, 17)),
        (copied, of(&own, 0, 24, false), 6, 0, (18, 23)),
    ];
    for (stream, indices, first, base, extent) in draws {
        let streams = [stream];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        (draw.indices, draw.extent) = (Some(indices), Some(extent));
        (draw.first, draw.base_vertex) = (first, base);
        r.draw(&draw).unwrap();
    }
    let after = r.traffic();
    let read = 5 * 28 + 20;
    assert_eq!(
        after.arena_vertex_bytes - before.arena_vertex_bytes,
        2 * read
    );
    assert_eq!(
        after.resident_bytes - before.resident_bytes,
        2 * read + 12 + 24 + 12 + 12
    );
    // Copied ones that come between are not taken for what was bound.
    let order: [u16; 6] = [0, 1, 2, 3, 4, 5];
    for (indices, color) in [
        (IndexData::U16(&order), GREEN),
        (of(&narrow, 2, 12, false), RED),
        (IndexData::U32(&[0, 1, 2, 3, 4, 5]), GREEN),
        (of(&wide, 4, 24, true), RED),
        (of(&narrow, 2, 12, false), GREEN),
    ] {
        let first = cell(0, color);
        let streams = [bytes_of(&first)];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.indices = Some(indices);
        draw.extent = Some((0, 5));
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixels(&bytes), [color, RED + 1, RED + 2, RED + 3]);
    }
    drop(padding);
    // Between indices, past the range, past the buffer, vertices that there are not or before all.
    let refused = [
        (of(&narrow, 1, 40, false), 0, 0, (0, 5)),
        (of(&wide, 2, 40, true), 0, 0, (0, 5)),
        (of(&narrow, 2, 48, false), 19, 0, (0, 5)),
        (of(&narrow, 2, 50, false), 0, 0, (0, 5)),
        (of(&narrow, u64::MAX - 1, 50, false), 0, 0, (0, 5)),
        (of(&narrow, 2, 48, false), u32::MAX, 0, (0, 5)),
        (of(&narrow, 0, 50, false), 0, 0, (0, 999)),
        (of(&narrow, 2, 48, false), 0, -1, (0, 5)),
    ];
    for (indices, first, base, extent) in refused {
        for stream in [copied, resident] {
            let streams = [stream];
            let mut draw = owned.draw(&mut r, &context, &streams, 6);
            (draw.indices, draw.extent) = (Some(indices), Some(extent));
            (draw.first, draw.base_vertex) = (first, base);
            let error = r.draw(&draw).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Bounds, "{error}");
        }
    }
}
