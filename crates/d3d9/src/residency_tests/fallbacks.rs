//! Draws that a copy cannot serve, or not yet, and what is said when one was given up.

use tracing::Level;

use super::told::Told;
use super::*;

const POSITIONS: VertexElement =
    VertexElement::new(0, 0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, 0);
const COLORS: VertexElement = VertexElement::new(3, 0, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0);

impl Scene {
    fn declare(&mut self, elements: &[VertexElement]) {
        let declaration = self.d.create_vertex_declaration(elements).unwrap();
        self.d.set_vertex_declaration(Some(declaration)).unwrap();
        self.d.release(declaration).unwrap();
    }

    /// Draws the quad at the start of the streams. Those that were read of copies.
    #[track_caller]
    fn resident_streams(&mut self, color: u32) -> Vec<usize> {
        self.d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2).unwrap();
        let seen = &self.d.scratch.watch.seen;
        let streams = seen.iter().map(|one| one.stream).collect();
        self.looks(color);
        streams
    }
}

#[test]
fn no_stream_of_a_draw_from_user_memory_is_resident() {
    let mut s = scene!();
    s.declare(&[POSITIONS, COLORS]);
    let colors = s.buffer(0, &GREEN.to_le_bytes().repeat(4));
    s.d.set_stream_source(3, Some(colors), 0, 4).unwrap();
    let indices = [0u8, 0, 1, 0, 2, 0, 3, 0];
    for round in 0..2 {
        let vertices = quad(RED);
        let d = &mut s.d;
        match round {
            0 => d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &vertices, STRIDE),
            _ => d.draw_indexed_primitive_up(
                D3DPT_TRIANGLESTRIP,
                0,
                4,
                2,
                &indices,
                D3DFMT_INDEX16,
                &vertices,
                STRIDE,
            ),
        }
        .unwrap();
        assert!(!s.looks(GREEN));
    }
    assert_eq!(s.d.traffic().copies, 0);
    assert_eq!(s.d.traffic().resident_draws, 0);
    // The same stream beside a buffer.
    let shapes = s.buffer(0, &quad(RED));
    s.bind(shapes);
    assert_eq!(s.resident_streams(GREEN), [0, 3]);
}

#[test]
fn elements_that_are_converted_come_from_the_buffer() {
    let mut s = scene!();
    s.declare(&[
        VertexElement::new(0, 0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0),
        VertexElement::new(3, 0, D3DDECLTYPE_UDEC3, D3DDECLUSAGE_TEXCOORD, 0),
    ]);
    let text = "vs_2_0\n dcl_position v0\n dcl_texcoord v1\n mov oPos, v0\n mul oD0, v1, c0\n";
    let code = ninefold_bytecode::assemble(text).unwrap();
    let shader = s.d.create_vertex_shader(code.tokens()).unwrap();
    s.d.set_vertex_shader(Some(shader)).unwrap();
    let share = 1.0 / 1023.0;
    s.d.set_vertex_shader_constant_f(0, &[[share, share, share, 1.0]])
        .unwrap();
    let corners = [[-1.0f32, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let places = corners.map(|[x, y]| [x, y, 0.5, 1.0]);
    let places: Vec<u8> = places
        .iter()
        .flatten()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let places = s.buffer(0, &places);
    // 1023, 0 and 341 of 1023.
    let colors = s.buffer(0, &(1023u32 | 341 << 20).to_le_bytes().repeat(4));
    s.d.set_stream_source(0, Some(places), 0, 16).unwrap();
    s.d.set_stream_source(3, Some(colors), 0, 4).unwrap();
    assert_eq!(s.resident_streams(0xFFFF_0055), [0]);
    assert_eq!(s.d.traffic().copies, 1);
}

#[test]
fn primitives_with_vertices_of_their_own_come_from_the_buffer() {
    let mut s = scene!();
    s.d.set_fvf(D3DFVF_XYZRHW | D3DFVF_TEX1).unwrap();
    let show = "ps_2_0\n dcl t0\n frc r0, t0\n mov oC0, r0\n";
    let code = ninefold_bytecode::assemble(show).unwrap();
    let shader = s.d.create_pixel_shader(code.tokens()).unwrap();
    s.d.set_pixel_shader(Some(shader)).unwrap();
    // From 0.9 on the left to 0.1 on the right: 0.2 apart by way of 1.
    let mut bytes = Vec::new();
    for (vertex, u) in quad(0).chunks_exact(20).zip([0.9f32, 0.1, 0.9, 0.1]) {
        bytes.extend(&vertex[..16]);
        bytes.extend(u.to_le_bytes());
        bytes.extend([0; 4]);
    }
    let buffer = s.buffer(0, &bytes);
    s.d.set_stream_source(0, Some(buffer), 0, 24).unwrap();
    // Pixels' centres are 1, 3, 5 and 7 eighths of the way across.
    for (wrap, us) in [(1, [0.925, 0.975, 0.025, 0.075]), (0, [0.8, 0.6, 0.4, 0.2])] {
        s.d.set_render_state(D3DRS_WRAP0, wrap).unwrap();
        s.d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2).unwrap();
        let back = s.d.get_back_buffer(0, 0).unwrap();
        let picture = s.d.read_surface(back).unwrap();
        s.d.release(back).unwrap();
        for (pixel, u) in picture.bgra.chunks_exact(4).zip(us.repeat(EDGE as usize)) {
            let red = f64::from(pixel[2]);
            assert!((red - 255.0 * u).abs() <= 1.0, "{red}, {u}");
        }
        assert_eq!(s.check(), usize::from(wrap == 0));
    }
}

#[test]
fn of_two_buffers_one_waits_for_room_and_may_have_a_copy_later() {
    let mut s = scene!();
    s.declare(&[POSITIONS, COLORS]);
    let large = |mut bytes: Vec<u8>| {
        bytes.resize(600 << 10, 0);
        bytes
    };
    let shapes = s.buffer(0, &large(quad(RED)));
    let colors = s.buffer(0, &large(GREEN.to_le_bytes().repeat(4)));
    s.bind(shapes);
    s.d.set_stream_source(3, Some(colors), 0, 4).unwrap();
    // Both want a copy, and there is room for one of them.
    for round in 1..=4 {
        s.fill(shapes, 0, &quad(BLUE), 0);
        assert_eq!(s.resident_streams(GREEN), [0]);
        assert_eq!(s.d.traffic().budget_fallbacks, round);
        assert_eq!(s.d.traffic().copies, round);
    }
    // The first is changed once too often. The other has had no copy yet.
    s.fill(shapes, 0, &quad(RED), 0);
    assert_eq!(s.resident_streams(GREEN), [3]);
    assert_eq!(s.d.traffic().budget_fallbacks, 4);
    assert_eq!(s.d.traffic().cache_bytes, 600 << 10);
}

#[test]
fn vertices_that_end_past_the_buffer_have_no_copy() {
    let mut s = scene!();
    s.d.set_render_state(D3DRS_SHADEMODE, D3DSHADE_FLAT)
        .unwrap();
    for missing in 1..=4 {
        let bytes = quad(GREEN);
        let buffer = s.buffer(0, &bytes[..bytes.len() - missing]);
        s.bind(buffer);
        // Flat colours are those of vertices 0 and 1.
        assert!(!s.draws(0, GREEN));
        assert_eq!(s.d.traffic().copies, missing as u64 - 1);
        // All but the last vertex are there.
        s.d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 1).unwrap();
        assert_eq!(s.check(), 1);
    }
}

#[test]
fn an_unlock_alone_ends_a_copy_and_the_peak_stays() {
    let mut s = scene!();
    let large = s.buffer(0, &[quad(RED), quad(GREEN)].concat());
    s.bind(large);
    assert!(s.draws(0, RED));
    s.d.vertex_buffer_unlock(large).unwrap();
    assert_eq!(s.d.traffic().cache_bytes, 0);
    let small = s.buffer(0, &quad(BLUE));
    s.bind(small);
    assert!(s.draws(0, BLUE));
    let traffic = s.d.traffic();
    assert_eq!((traffic.cache_bytes, traffic.peak_cache_bytes), (80, 160));
}

#[test]
fn each_buffer_is_bound_for_its_own_draws() {
    let mut s = scene!(|settings: &mut DeviceSettings| settings.resident_budget = 16 << 20);
    // Those that share memory, more than one piece of it can hold, and those that do not.
    for (len, count) in [(60 << 10, 40), (100 << 10, 3)] {
        let colors = |n: u32| 0xFF00_0000 | (n * 5 + 1);
        let buffers: Vec<_> = (0..count)
            .map(|n| {
                let mut bytes = quad(colors(n));
                bytes.resize(len, 0);
                s.buffer(0, &bytes)
            })
            .collect();
        for _ in 0..2 {
            for last in 0..count as usize {
                // Nothing is submitted between the two.
                for n in [(last + 35) % count as usize, last] {
                    s.bind(buffers[n]);
                    s.d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2).unwrap();
                }
                assert!(s.looks(colors(last as u32)));
            }
        }
        for buffer in buffers {
            s.d.release(buffer).unwrap();
        }
    }
    let traffic = s.d.traffic();
    assert_eq!((traffic.copies, traffic.arena_vertex_bytes), (43, 0));
}

#[test]
fn bytes_that_draws_copy_are_counted() {
    let mut s = scene!(|settings: &mut DeviceSettings| settings.renderer.draw_fast_paths = false);
    let buffer = s.buffer(0, &[quad(RED), quad(GREEN)].concat());
    s.bind(buffer);
    for round in 1..=3 {
        assert!(!s.draws(4, GREEN));
        let traffic = s.d.traffic();
        assert_eq!(traffic.arena_vertex_bytes, 80 * round);
        assert_eq!((traffic.resident_draws, traffic.resident_bytes), (0, 0));
    }
}

#[test]
fn a_copy_that_differs_is_told_once() {
    let mut s = scene!();
    let buffer = s.buffer(0, &quad(RED));
    s.bind(buffer);
    let told = Told::of("ninefold::vb_resident");
    tracing::subscriber::with_default(told.clone(), || {
        assert!(s.draws(0, RED));
        s.fill(buffer, 0, &quad(BLUE), 0);
        assert!(s.draws(0, BLUE));
        assert_eq!(told.take().len(), 0, "changes with a lock");
        s.scribble(buffer, 0, &quad(GREEN));
        for _ in 0..3 {
            assert!(!s.draws(0, GREEN));
        }
    });
    let warnings = told.take();
    let [warning] = &warnings[..] else {
        panic!("{warnings:?}")
    };
    assert_eq!(warning.level, Level::WARN);
    let warning = warning.line();
    let name = format!("buffer={buffer:?};");
    assert!(
        warning.contains(&name) && warning.contains("size=80;"),
        "{warning}"
    );
}
