//! Vertices, indices, topologies, viewports: what reaches the rasteriser.

mod common;

use common::raw::{Owned, RHW, strides};
use common::{pixel, pixels, quad};
use ninefold_renderer::{
    ErrorKind, IndexData, Primitive, Rect, Renderer, RhwState, RhwVertex, StreamData,
    VertexElement, Viewport,
};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLACK: u32 = 0xFF00_0000;

fn bytes_of(vertices: &[RhwVertex]) -> StreamData<'_> {
    StreamData::Bytes(bytemuck::cast_slice(vertices))
}

/// Pixels that a quad with these edges covers in an 8 x 8 target.
fn covered(r: &mut Renderer, x0: f32, y0: f32, x1: f32, y1: f32) -> (u32, u32, u32, u32) {
    let context = r.create_context(8, 8).unwrap();
    common::draw(
        r,
        &context,
        &RhwState::default(),
        &quad(x0, y0, x1, y1, 0.5, GREEN),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    let mut edges = (8, 8, 0, 0);
    for y in 0..8 {
        for x in 0..8 {
            if pixel(&bytes, 8, x, y) == GREEN {
                edges = (
                    edges.0.min(x),
                    edges.1.min(y),
                    edges.2.max(x + 1),
                    edges.3.max(y + 1),
                );
            }
        }
    }
    edges
}

#[test]
fn pixel_centres_are_at_integer_coordinates() {
    let mut r = gpu_or_skip!();
    // Direct3D draws pixel i when i is inside the edges: left and top included, right and bottom
    // not.
    assert_eq!(covered(&mut r, 2.0, 3.0, 5.0, 6.0), (2, 3, 5, 6));
    assert_eq!(covered(&mut r, 1.5, 2.5, 4.5, 5.5), (2, 3, 5, 6));
    assert_eq!(covered(&mut r, 2.25, 3.25, 5.25, 6.25), (3, 4, 6, 7));
    assert_eq!(covered(&mut r, -0.5, -0.5, 7.5, 7.5), (0, 0, 8, 8));
}

#[test]
fn clip_space_follows_the_viewport() {
    use ninefold_renderer::{FixedState, FixedVertex};
    let mut r = gpu_or_skip!();
    let mut context = r.create_context(8, 8).unwrap();
    context.set_viewport(2, 4, 4, 2);
    let v = |x: f32, y: f32| FixedVertex {
        position: [x, y, 0.5, 1.0],
        color: [0.0, 1.0, 0.0, 1.0],
        ..FixedVertex::default()
    };
    let vertices = [v(-1.0, 1.0), v(1.0, 1.0), v(-1.0, -1.0), v(1.0, -1.0)];
    r.draw_fixed_clip(
        &context,
        &FixedState::default(),
        Primitive::TriangleStrip,
        &vertices,
        None,
    )
    .unwrap();
    let bytes = r.read_framebuffer(&context).unwrap();
    for y in 0..8 {
        for x in 0..8 {
            let inside = (2..6).contains(&x) && (4..6).contains(&y);
            assert_eq!(
                pixel(&bytes, 8, x, y),
                if inside { GREEN } else { BLACK },
                "{x} {y}"
            );
        }
    }
}

#[test]
fn scissor_viewport_and_depth_range() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    let mut owned = Owned::new(&mut r, 4, 4, &RHW, &strides(28));
    owned.depth_stencil.depth_test = true;
    owned.depth_stencil.depth_write = true;
    owned.depth_stencil.depth_func = 8;
    let vertices = quad(0.0, 0.0, 4.0, 4.0, 0.5, GREEN);
    let streams = [bytes_of(&vertices)];
    let mut draw = owned.draw(&mut r, &context, &streams, 6);
    draw.scissor = Some(Rect {
        x: 1,
        y: 1,
        w: 2,
        h: 9,
    });
    // Reaches past the target: pixels are cut, the transform stays.
    draw.viewport = Viewport {
        x: 0,
        y: 0,
        w: 4,
        h: 4,
        min_z: 0.2,
        max_z: 0.4,
    };
    r.draw(&draw).unwrap();
    let bytes = r.read_framebuffer(&context).unwrap();
    let row = |y: u32| (0..4).map(|x| pixel(&bytes, 4, x, y)).collect::<Vec<_>>();
    assert_eq!(row(0), [BLACK; 4]);
    assert_eq!(row(1), [BLACK, GREEN, GREEN, BLACK]);
    let depth = context.targets().depth.as_ref().unwrap().image.clone();
    let depths = r.read_image(&depth, 0, 0).unwrap();
    let at = |i: usize| f32::from_le_bytes(depths[i * 4..i * 4 + 4].try_into().unwrap());
    assert!((at(5) - 0.3).abs() < 1e-6, "{}", at(5));
    assert_eq!(at(0), 1.0);
}

#[test]
fn missing_elements_read_documented_defaults() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    // No colour in the layout: white. A colour in a stream that is not bound: white too.
    let mut unbound = RHW;
    unbound[1].stream = 3;
    for elements in [&RHW[..1], &unbound[..]] {
        let owned = Owned::new(&mut r, 1, 1, elements, &strides(28));
        r.clear_context(&context, BLACK).unwrap();
        let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, RED);
        let streams = [bytes_of(&vertices)];
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixels(&bytes), [0xFFFF_FFFF]);
    }
}

#[test]
fn stride_zero_repeats_the_first_vertex() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let mut elements = RHW;
    elements[1] = VertexElement {
        stream: 2,
        offset: 4,
        ty: 4,
        usage: 10,
        index: 0,
    };
    let owned = Owned::new(&mut r, 1, 1, &elements, &strides(28));
    let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, RED);
    let color = [0, 0, 0, 0, 0x00, 0xFF, 0x00, 0xFF];
    let streams = [
        bytes_of(&vertices),
        StreamData::None,
        StreamData::Bytes(&color),
    ];
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN]);
}

#[test]
fn every_element_type_arrives_as_direct3d_says() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let half = |v: f32| match v {
        0.0 => 0u16,
        0.5 => 0x3800,
        _ => 0x3C00,
    };
    let halves = |v: [f32; 4]| {
        v.map(half)
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>()
    };
    let floats = |v: &[f32]| v.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
    let shorts = |v: &[i32]| {
        v.iter()
            .flat_map(|v| (*v as u16).to_le_bytes())
            .collect::<Vec<_>>()
    };
    // Colour in the vertex as (type, bytes) and the pixel that it makes.
    let cases: Vec<(u8, Vec<u8>, u32)> = vec![
        (0, floats(&[1.0]), 0xFFFF_0000),
        (1, floats(&[0.2, 1.0]), 0xFF33_FF00),
        (2, floats(&[0.2, 0.4, 0.6]), 0xFF33_6699),
        (3, floats(&[0.2, 0.4, 0.6, 0.8]), 0xCC33_6699),
        (4, vec![0x99, 0x66, 0x33, 0xCC], 0xCC33_6699),
        (5, vec![0, 1, 0, 1], 0xFF00_FF00),
        (6, shorts(&[1, 0]), 0xFFFF_0000),
        (7, shorts(&[0, 1, -5, 1]), 0xFF00_FF00),
        (8, vec![0x33, 0x66, 0x99, 0xCC], 0xCC33_6699),
        (9, shorts(&[32767, -32767]), 0xFFFF_0000),
        (10, shorts(&[0, 32767, 0, 32767]), 0xFF00_FF00),
        (11, shorts(&[65535, 13107]), 0xFFFF_3300),
        (12, shorts(&[13107, 26214, 39321, 52428]), 0xCC33_6699),
        (13, (1u32 << 20).to_le_bytes().to_vec(), 0xFF00_00FF),
        (14, (511u32 << 10).to_le_bytes().to_vec(), 0xFF00_FF00),
        (15, halves([1.0, 0.0, 0.0, 0.0])[..4].to_vec(), 0xFFFF_0000),
        (16, halves([0.0, 1.0, 0.0, 1.0]), 0xFF00_FF00),
    ];
    for (ty, color, want) in cases {
        let elements = [
            RHW[0],
            VertexElement {
                stream: 0,
                offset: 16,
                ty,
                usage: 10,
                index: 0,
            },
        ];
        let owned = Owned::new(&mut r, 1, 1, &elements, &strides(16 + color.len() as u16));
        let mut data = Vec::new();
        for vertex in quad(0.0, 0.0, 1.0, 1.0, 0.5, 0) {
            data.extend_from_slice(&bytemuck::bytes_of(&vertex)[..16]);
            data.extend_from_slice(&color);
        }
        r.clear_context(&context, 0x0102_0304).unwrap();
        let streams = [StreamData::Bytes(&data)];
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(
            pixels(&bytes),
            [want],
            "type {ty}: {:08x}",
            pixels(&bytes)[0]
        );
    }
}

#[test]
fn indices_of_both_sizes_with_base_vertex_and_first() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    let owned = Owned::new(&mut r, 2, 1, &RHW, &strides(28));
    // Vertices 4 to 7 are the quad.
    let q = quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN);
    let mut vertices = vec![RhwVertex::default(); 4];
    vertices.extend([q[0], q[1], q[2], q[5]]);
    let streams = [bytes_of(&vertices)];
    let short: Vec<u16> = vec![99, 7, 8, 9, 9, 8, 10];
    let long: Vec<u32> = short.iter().map(|&i| i.into()).collect();
    for indices in [IndexData::U16(&short), IndexData::U32(&long)] {
        r.clear_context(&context, BLACK).unwrap();
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.indices = Some(indices);
        draw.first = 1;
        draw.base_vertex = -3;
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixels(&bytes), [GREEN, BLACK]);
    }
}

#[test]
fn indices_past_65535_reach_their_vertices() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let owned = Owned::new(&mut r, 1, 1, &RHW, &strides(28));
    let mut vertices = vec![RhwVertex::default(); 70_000];
    vertices.extend(quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN));
    let streams = [bytes_of(&vertices)];
    // Vertex 0 is used too, so that everything between is copied.
    let indices: Vec<u32> = [0, 0, 0].into_iter().chain(70_000..70_006).collect();
    let mut draw = owned.draw(&mut r, &context, &streams, 9);
    draw.indices = Some(IndexData::U32(&indices));
    r.draw(&draw).unwrap();
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN]);
}

#[test]
fn draws_larger_than_the_arena() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    let owned = Owned::new(&mut r, 2, 1, &RHW, &strides(28));
    // 1.3 million vertices are 36 MB.
    let mut vertices = vec![RhwVertex::default(); 1_300_000];
    let last = vertices.len() - 4;
    vertices[..6].copy_from_slice(&quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN));
    vertices[last - 2..].copy_from_slice(&quad(1.0, 0.0, 2.0, 1.0, 0.5, RED));
    assert_eq!(vertices.len() % 3, 1);
    vertices.remove(10);
    let streams = [bytes_of(&vertices)];
    for _ in 0..3 {
        r.clear_context(&context, BLACK).unwrap();
        let draw = owned.draw(&mut r, &context, &streams, vertices.len() as u32);
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixels(&bytes), [GREEN, RED]);
    }
}

#[test]
fn many_draws_fill_arena_after_arena() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &RHW, &strides(28));
    // Each draw takes about 0.84 MB; 200 of them fill five arenas and are submitted on the way.
    let mut vertices = vec![RhwVertex::default(); 30_000];
    vertices[..6].copy_from_slice(&quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN));
    for n in 0..200 {
        owned.generation += n % 3;
        let streams = [bytes_of(&vertices)];
        let draw = owned.draw(&mut r, &context, &streams, 30_000);
        r.draw(&draw).unwrap();
    }
    assert!(r.stats().submissions >= 1);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN]);
}

#[test]
fn draws_and_clears_without_end_are_submitted_on_the_way() {
    const AT_MOST: u32 = 32_768;
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    r.clear_context(&context, BLACK).unwrap();
    r.flush().unwrap();
    let mut owned = Owned::new(&mut r, 2, 1, &RHW, &strides(28));
    let green = quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN);
    let before = r.stats().submissions;
    for n in 0..=AT_MOST {
        assert_eq!(r.stats().submissions, before, "{n}");
        owned.generation += 1;
        let streams = [bytes_of(&green)];
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
    }
    assert_eq!(r.stats().submissions, before + 1);
    let left = Rect {
        x: 1,
        y: 0,
        w: 1,
        h: 1,
    };
    let red = Some([1.0, 0.0, 0.0, 1.0]);
    for _ in 0..AT_MOST {
        r.clear(context.targets(), &[left], red, None, None)
            .unwrap();
    }
    assert_eq!(r.stats().submissions, before + 2);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN, RED]);
}

#[test]
fn topologies() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    let owned = Owned::new(&mut r, 4, 4, &RHW, &strides(28));
    let v = |x: f32, y: f32| RhwVertex {
        x,
        y,
        z: 0.5,
        rhw: 1.0,
        color: GREEN,
        ..RhwVertex::default()
    };
    let green = |r: &mut Renderer, primitive, vertices: &[RhwVertex]| {
        r.clear_context(&context, BLACK).unwrap();
        let mut owned_draw = Owned::new(r, 4, 4, &RHW, &strides(28));
        owned_draw.vs_extras.misc[0][0] = 1.0;
        let streams = [bytes_of(vertices)];
        let mut draw = owned_draw.draw(r, &context, &streams, vertices.len() as u32);
        draw.primitive = primitive;
        draw.vs_extras.generation = 77;
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        let all = pixels(&bytes);
        (0..16).filter(|&i| all[i] == GREEN).collect::<Vec<_>>()
    };
    assert_eq!(
        green(&mut r, Primitive::LineList, &[v(0.0, 1.0), v(4.0, 1.0)]),
        [4, 5, 6, 7]
    );
    // An odd vertex makes no line.
    let strip = [v(0.0, 0.0), v(3.0, 0.0), v(3.0, 4.0)];
    assert_eq!(green(&mut r, Primitive::LineList, &strip), [0, 1, 2]);
    let corner = green(&mut r, Primitive::LineStrip, &strip);
    assert!(
        [0, 1, 2, 7, 11, 15].iter().all(|i| corner.contains(i)),
        "{corner:?}"
    );
    let strip = [v(0.0, 0.0), v(2.0, 0.0), v(0.0, 2.0), v(2.0, 2.0)];
    assert_eq!(
        green(&mut r, Primitive::TriangleStrip, &strip),
        [0, 1, 4, 5]
    );
    assert_eq!(
        green(&mut r, Primitive::TriangleList, &strip[..2]),
        [0usize; 0]
    );
    drop(owned);
}

#[test]
fn points_cover_their_size() {
    use ninefold_shader::fixed::VertexBlock;
    let mut r = gpu_or_skip!();
    let context = r.create_context(8, 8).unwrap();
    let owned = Owned::new(&mut r, 8, 8, &RHW, &strides(28));
    for (size, want) in [(1.0f32, 1usize), (4.0, 16)] {
        r.clear_context(&context, BLACK).unwrap();
        let vertex = RhwVertex {
            x: 3.0,
            y: 3.0,
            z: 0.5,
            rhw: 1.0,
            color: GREEN,
            u: 0.0,
            v: 0.0,
        };
        let vertices = [vertex];
        let streams = [bytes_of(&vertices)];
        let mut block = VertexBlock::default();
        block.set_points(size, [0.0, 64.0], [1.0, 0.0, 0.0], 8.0);
        let mut draw = owned.draw(&mut r, &context, &streams, 1);
        draw.primitive = Primitive::PointList;
        draw.vs_floats.file = block.rows();
        draw.vs_floats.generation = size as u64;
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(
            pixels(&bytes).iter().filter(|&&p| p == GREEN).count(),
            want,
            "size {size}"
        );
    }
}

#[test]
fn resident_buffers_are_read_where_they_are_and_written_in_order() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    let owned = Owned::new(&mut r, 2, 1, &RHW, &strides(28));
    let left = quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN);
    let right = quad(1.0, 0.0, 2.0, 1.0, 0.5, RED);
    let buffer = r.create_buffer(28 * 6 + 4).unwrap();
    let indices = r.create_buffer(12).unwrap();
    let order: [u16; 6] = [0, 1, 2, 3, 4, 5];
    r.write_buffer(&indices, 0, bytemuck::cast_slice(&order))
        .unwrap();
    for vertices in [left, right] {
        r.write_buffer(&buffer, 4, bytemuck::cast_slice(&vertices))
            .unwrap();
        let streams = [StreamData::Resident {
            buffer: &buffer,
            offset: 4,
            size: 28 * 6,
        }];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.indices = Some(IndexData::Resident {
            buffer: &indices,
            offset: 0,
            size: 12,
            wide: false,
        });
        r.draw(&draw).unwrap();
    }
    drop((buffer, indices));
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN, RED]);
    assert_eq!(r.stats().resident_bytes, 2 * (28 * 6 + 12));
}

/// What binding a buffer once for several draws must not survive: another buffer in the same slot, a
/// clear drawn in between, a second pass, other bytes.
#[test]
fn a_resident_buffer_stays_bound_until_something_else_is() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 1).unwrap();
    let owned = Owned::new(&mut r, 4, 1, &RHW, &strides(28));
    let cell = |x: f32, color| quad(x, 0.0, x + 1.0, 1.0, 0.5, color);
    let buffer = r.create_buffer(28 * 24).unwrap();
    let fill = |r: &mut Renderer, color: u32| {
        let all: Vec<RhwVertex> = (0..4).flat_map(|n| cell(n as f32, color + n)).collect();
        r.write_buffer(&buffer, 0, bytemuck::cast_slice(&all))
            .unwrap();
    };
    let resident = [StreamData::Resident {
        buffer: &buffer,
        offset: 0,
        size: 28 * 24,
    }];
    let draw_cell = |r: &mut Renderer, n: u32| {
        let mut draw = owned.draw(r, &context, &resident, 6);
        draw.first = 6 * n;
        r.draw(&draw).unwrap();
    };
    fill(&mut r, RED);
    let before = r.traffic();
    draw_cell(&mut r, 0);
    draw_cell(&mut r, 1);
    let between = r.traffic();
    // Position and colour are read, 20 bytes, of vertices of 28.
    let read = 5 * 28 + 20;
    assert_eq!(between.resident_bytes - before.resident_bytes, 2 * read);
    assert_eq!(between.resident_draws - before.resident_draws, 2);
    assert_eq!(between.arena_vertex_bytes, before.arena_vertex_bytes);
    // Copied vertices in the same slot, and back.
    let copied = cell(1.0, GREEN);
    let streams = [bytes_of(&copied)];
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    let after = r.traffic();
    assert_eq!(after.arena_vertex_bytes - between.arena_vertex_bytes, read);
    draw_cell(&mut r, 2);
    // A part of the target is cleared by a quad in the same pass.
    let part = Rect {
        x: 2,
        y: 0,
        w: 1,
        h: 1,
    };
    r.clear(
        context.targets(),
        &[part],
        Some([0.0, 0.0, 1.0, 1.0]),
        None,
        None,
    )
    .unwrap();
    draw_cell(&mut r, 3);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN, 0xFF00_00FF, RED + 3]);
    // Another pass, other bytes under the same name, with indices that are known.
    fill(&mut r, GREEN);
    let order: Vec<u16> = (0..6).collect();
    for n in [1, 2] {
        let mut draw = owned.draw(&mut r, &context, &resident, 6);
        draw.indices = Some(IndexData::U16(&order));
        draw.base_vertex = 6 * n;
        r.draw(&draw).unwrap();
    }
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN + 1, GREEN + 2, RED + 3]);
    assert_eq!(r.traffic().resident_draws, before.resident_draws + 6);
}

#[test]
fn a_resident_buffer_holds_what_was_written() {
    let mut r = gpu_or_skip!();
    for size in [1usize, 4, 7, 4096, 100_003] {
        let bytes: Vec<u8> = (0..size).map(|n| (n * 7 % 251) as u8).collect();
        let buffer = r.create_buffer(size as u64).unwrap();
        r.write_buffer(&buffer, 0, &bytes).unwrap();
        assert!(r.read_buffer(&buffer).unwrap() == bytes, "{size} bytes");
    }
}

#[test]
fn what_lies_outside_is_refused_and_nothing_is_drawn() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let owned = Owned::new(&mut r, 1, 1, &RHW, &strides(28));
    let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN);
    let streams = [bytes_of(&vertices)];
    let short: [u16; 3] = [0, 1, 6];
    let good = owned.draw(&mut r, &context, &streams, 6);
    let mut many = good;
    many.count = 9;
    let mut late = good;
    late.first = 3;
    let mut index = good;
    (index.indices, index.count) = (Some(IndexData::U16(&short)), 3);
    let mut base = index;
    base.base_vertex = -1;
    let mut past = index;
    past.first = 1;
    for (draw, text) in [
        (many, "stream 0"),
        (late, "stream 0"),
        (index, "stream 0"),
        (base, "before the first vertex"),
        (past, "indices 1 to 4 of 3"),
    ] {
        let error = r.draw(&draw).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Bounds);
        assert!(error.text().contains(text), "{error}");
    }
    let mut elements = RHW;
    elements[1].offset = 26;
    let bad = Owned::new(&mut r, 1, 1, &elements, &strides(28));
    let draw = bad.draw(&mut r, &context, &streams, 6);
    assert_eq!(r.draw(&draw).unwrap_err().kind(), ErrorKind::Decl);
    let mut layout = [0; 16];
    layout[0] = 2049;
    assert!(r.vertex_layout(&RHW, &layout).is_err());
    let far = VertexElement {
        stream: 16,
        ..RHW[0]
    };
    assert_eq!(
        r.vertex_layout(&[far], &[0; 16]).unwrap_err().kind(),
        ErrorKind::Decl
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [BLACK]);
    assert_eq!(r.stats().draws, 0);
}

#[test]
fn specification_limits() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let state = RhwState::default();
    let vertices = vec![0u8; 65_537 * 28];
    let mut draw = |stride, count, indices: Option<&[u16]>| {
        r.draw_rhw(
            &context,
            &state,
            Primitive::TriangleList,
            &vertices,
            stride,
            count,
            indices,
        )
        .map_err(|error| error.kind())
    };
    assert_eq!(draw(28, 65_536, None), Ok(()));
    assert_eq!(draw(28, 65_537, None), Err(ErrorKind::Args));
    assert_eq!(draw(28, 0, None), Err(ErrorKind::Args));
    assert_eq!(draw(24, 3, None), Err(ErrorKind::Args));
    assert_eq!(draw(257, 3, None), Err(ErrorKind::Args));
    assert_eq!(draw(256, 65_536, None), Err(ErrorKind::Bounds));
    assert_eq!(draw(28, 3, Some(&[0, 1, 3])), Err(ErrorKind::Bounds));
    assert_eq!(draw(28, 3, Some(&vec![0; 196_608])), Ok(()));
    assert_eq!(draw(28, 3, Some(&vec![0; 196_609])), Err(ErrorKind::Args));
    // Fewer than three vertices are a successful no-op.
    assert_eq!(draw(28, 2, None), Ok(()));
    assert_eq!(draw(28, 3, Some(&[0, 1])), Ok(()));
}
