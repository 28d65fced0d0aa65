//! Indexed draws: every kind of primitive, both widths, bases of either sign, and large ones.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const RED: u32 = 0xFFFF_0000;
const FORMATS: [u32; 2] = [D3DFMT_INDEX16, D3DFMT_INDEX32];

fn index_bytes(format: u32, indices: &[u32]) -> Vec<u8> {
    let narrow = |i: &u32| (*i as u16).to_le_bytes().to_vec();
    let wide = |i: &u32| i.to_le_bytes().to_vec();
    match format {
        D3DFMT_INDEX16 => indices.iter().flat_map(narrow).collect(),
        _ => indices.iter().flat_map(wide).collect(),
    }
}

fn set_indices(d: &mut Device, format: u32, indices: &[u32]) {
    let bytes = index_bytes(format, indices);
    let buffer = d
        .create_index_buffer(bytes.len() as u32, 0, format, D3DPOOL_DEFAULT)
        .unwrap();
    d.index_buffer_lock(buffer, 0, 0, 0).unwrap();
    d.index_buffer_bytes_mut(buffer)
        .unwrap()
        .copy_from_slice(&bytes);
    d.index_buffer_unlock(buffer).unwrap();
    d.set_indices(Some(buffer)).unwrap();
    d.release(buffer).unwrap();
}

fn set_vertices(d: &mut Device, bytes: &[u8]) {
    let buffer = d
        .create_vertex_buffer(bytes.len() as u32, 0, 0, D3DPOOL_DEFAULT)
        .unwrap();
    d.vertex_buffer_lock(buffer, 0, 0, 0).unwrap();
    d.vertex_buffer_bytes_mut(buffer)
        .unwrap()
        .copy_from_slice(bytes);
    d.vertex_buffer_unlock(buffer).unwrap();
    d.set_stream_source(0, Some(buffer), 0, 20).unwrap();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    d.release(buffer).unwrap();
}

fn drawn(d: &mut Device, draw: impl FnOnce(&mut Device) -> Result<()>) -> Pixels {
    d.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF00_0000, 1.0, 0)
        .unwrap();
    if let Err(code) = draw(d) {
        panic!("{code}: {}", d.last_error());
    }
    pixels(d)
}

/// The corners of a rectangle, in the order of a strip, and the indices that each kind of primitive
/// draws of it with the place it then covers.
fn shapes() -> [(u32, &'static [u32], u32); 6] {
    [
        (D3DPT_POINTLIST, &[0, 1, 2, 3], 4),
        (D3DPT_LINELIST, &[0, 1, 2, 3], 2),
        (D3DPT_LINESTRIP, &[0, 1, 3, 2, 0], 4),
        (D3DPT_TRIANGLELIST, &[0, 1, 2, 2, 1, 3], 2),
        (D3DPT_TRIANGLESTRIP, &[0, 1, 2, 3], 2),
        (D3DPT_TRIANGLEFAN, &[0, 1, 3, 2], 2),
    ]
}

#[test]
fn every_primitive_is_the_same_from_every_place() {
    let Some(mut d) = device(32, 32) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let corners = quad(4.0, 4.0, 28.0, 28.0, 0.5, RED);
    // Five vertices of nowhere before the rectangle and two behind.
    let mut vertices = rhw(-50.0, -50.0, 0.5, RED).repeat(5);
    vertices.extend(&corners);
    vertices.extend(rhw(-50.0, -50.0, 0.5, RED).repeat(2));
    for (primitive, indices, count) in shapes() {
        for format in FORMATS {
            let bytes = index_bytes(format, indices);
            d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
            let expected = drawn(&mut d, |d| {
                d.draw_indexed_primitive_up(primitive, 0, 4, count, &bytes, format, &corners, 20)
            });
            let covered = expected.count(0xFF_0000);
            assert!(
                covered >= 4,
                "primitive {primitive} covers {covered} pixels"
            );
            set_vertices(&mut d, &vertices);
            // Indices moved up and the base down, and the other way round.
            for base in [5i32, 3, 0, -1, -1000] {
                let moved = |i: &u32| (*i as i32 + 5 - base) as u32;
                // Two indices that are not drawn before.
                let all: Vec<u32> = [7, 7]
                    .into_iter()
                    .chain(indices.iter().map(moved))
                    .collect();
                set_indices(&mut d, format, &all);
                let picture = drawn(&mut d, |d| {
                    d.draw_indexed_primitive(primitive, base, 0, 11, 2, count)
                });
                assert_eq!(
                    picture.0.bgra, expected.0.bgra,
                    "primitive {primitive}, format {format}, base {base}"
                );
            }
        }
    }
}

#[test]
fn more_than_65536_vertices_and_indices_are_drawn() {
    let Some(mut d) = device(32, 32) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    const NOWHERE: usize = 70_000;
    let mut vertices = rhw(-50.0, -50.0, 0.5, RED).repeat(NOWHERE);
    vertices.extend(quad(8.0, 8.0, 24.0, 24.0, 0.5, RED));
    set_vertices(&mut d, &vertices);
    let first = NOWHERE as u32;
    let last: Vec<u32> = [0, 1, 2, 2, 1, 3].iter().map(|i| first + i).collect();
    // 80,000 triangles of which the last two are somewhere.
    let mut many = vec![0; 3 * 79_998];
    many.extend(&last);
    set_indices(&mut d, D3DFMT_INDEX32, &many);
    let picture = drawn(&mut d, |d| {
        d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, first + 4, 0, 80_000)
    });
    assert_eq!(picture.bounds(0xFF_0000), Some((8, 8, 24, 24)));
    // The same reached by 16-bit indices and a base past 65,535.
    let narrow: Vec<u32> = many.iter().map(|i| i.saturating_sub(60_000)).collect();
    set_indices(&mut d, D3DFMT_INDEX16, &narrow);
    let picture = drawn(&mut d, |d| {
        d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 60_000, 0, first + 4, 0, 80_000)
    });
    assert_eq!(picture.bounds(0xFF_0000), Some((8, 8, 24, 24)));
    // A fan of 70,002 triangles, without indices and with.
    let mut fan = rhw(-50.0, -50.0, 0.5, RED).repeat(NOWHERE);
    fan[..20].copy_from_slice(&rhw(8.0, 8.0, 0.5, RED));
    for (x, y) in [(24.0, 8.0), (24.0, 24.0), (8.0, 24.0)] {
        fan.extend(rhw(x, y, 0.5, RED));
    }
    // What is between collapses to the centre.
    let centre = fan[..20].to_vec();
    for vertex in fan[20..NOWHERE * 20].chunks_exact_mut(20) {
        vertex.copy_from_slice(&centre);
    }
    set_vertices(&mut d, &fan);
    let triangles = NOWHERE as u32 + 1;
    let plain = drawn(&mut d, |d| {
        d.draw_primitive(D3DPT_TRIANGLEFAN, 0, triangles)
    });
    assert_eq!(plain.bounds(0xFF_0000), Some((8, 8, 24, 24)));
    let all: Vec<u32> = (0..triangles + 2).collect();
    set_indices(&mut d, D3DFMT_INDEX32, &all);
    let indexed = drawn(&mut d, |d| {
        d.draw_indexed_primitive(D3DPT_TRIANGLEFAN, 0, 0, triangles + 2, 0, triangles)
    });
    assert_eq!(indexed.0.bgra, plain.0.bgra);
}

#[test]
fn the_largest_16_bit_index_is_a_vertex_like_others() {
    let Some(mut d) = device(32, 32) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let mut vertices = rhw(-50.0, -50.0, 0.5, RED).repeat(65_532);
    vertices.extend(quad(8.0, 8.0, 24.0, 24.0, 0.5, RED));
    set_vertices(&mut d, &vertices);
    set_indices(&mut d, D3DFMT_INDEX16, &[65_532, 65_533, 65_534, 65_535]);
    let picture = drawn(&mut d, |d| {
        d.draw_indexed_primitive(D3DPT_TRIANGLESTRIP, 0, 0, 65_536, 0, 2)
    });
    assert_eq!(picture.bounds(0xFF_0000), Some((8, 8, 24, 24)));
}

#[test]
fn wild_bases_and_indices_harm_nothing() {
    let Some(mut d) = device(32, 32) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    set_vertices(&mut d, &quad(8.0, 8.0, 24.0, 24.0, 0.5, RED));
    let wild = [
        0,
        1,
        2,
        3,
        0x7FFF,
        0xFFFF,
        0x1_0000,
        0x7FFF_FFFF,
        0x8000_0000,
        u32::MAX,
    ];
    for format in FORMATS {
        for (n, first) in wild.into_iter().enumerate() {
            let indices = [first, wild[(n + 3) % 10], wild[(n * 7 + 1) % 10], first];
            set_indices(&mut d, format, &indices);
            for (primitive, _, _) in shapes() {
                for base in [0, -1, 1, i32::MIN, i32::MAX, -0x8000, 0x1_0000] {
                    // Whatever it answers, it draws no vertex that there is not.
                    let _ = d.draw_indexed_primitive(primitive, base, 0, 4, 0, 1);
                    let _ = d.draw_indexed_primitive(primitive, base, u32::MAX, u32::MAX, 3, 1);
                    let _ = d.draw_indexed_primitive(primitive, base, 0, 4, u32::MAX, u32::MAX);
                }
            }
            let bytes = index_bytes(format, &indices);
            let corners = quad(8.0, 8.0, 24.0, 24.0, 0.5, RED);
            let _ = d.draw_indexed_primitive_up(
                D3DPT_TRIANGLEFAN,
                0,
                4,
                2,
                &bytes,
                format,
                &corners,
                20,
            );
            set_vertices(&mut d, &corners);
        }
    }
    let indices = index_bytes(D3DFMT_INDEX16, &[0, 1, 2, 3]);
    let corners = quad(8.0, 8.0, 24.0, 24.0, 0.5, RED);
    let picture = drawn(&mut d, |d| {
        d.draw_indexed_primitive_up(
            D3DPT_TRIANGLESTRIP,
            0,
            4,
            2,
            &indices,
            D3DFMT_INDEX16,
            &corners,
            20,
        )
    });
    assert_eq!(picture.bounds(0xFF_0000), Some((8, 8, 24, 24)));
}

#[test]
fn primitives_whose_indices_are_not_there_are_left_out() {
    let Some(mut d) = device(32, 32) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let corners = quad(4.0, 4.0, 28.0, 28.0, 0.5, RED);
    for (primitive, indices, count) in shapes() {
        for format in FORMATS {
            set_vertices(&mut d, &corners);
            set_indices(&mut d, format, indices);
            let mut drawn = |start: u32, count: u32| {
                let draw =
                    |d: &mut Device| d.draw_indexed_primitive(primitive, 0, 0, 4, start, count);
                drawn(&mut d, draw)
            };
            let whole = drawn(0, count);
            assert!(whole.count(0xFF_0000) >= 4);
            for more in [1, 2, 3, 1000] {
                let picture = drawn(0, count + more);
                assert_eq!(
                    picture.0.bgra, whole.0.bgra,
                    "primitive {primitive}, {more} more"
                );
            }
            // From the second index on there is one primitive less, or a whole one is cut.
            let (step, left) = match primitive {
                D3DPT_LINELIST => (2, count - 1),
                D3DPT_TRIANGLELIST => (3, count - 1),
                _ => (1, count - 1),
            };
            let rest = drawn(step, left);
            assert!(rest.count(0xFF_0000) >= 1);
            assert_eq!(drawn(step, left + 1).0.bgra, rest.0.bgra);
            for past in [indices.len() as u32, 1000, u32::MAX] {
                assert_eq!(drawn(past, 1).count(0xFF_0000), 0);
            }
        }
    }
}

/// A draw that is refused leaves nothing behind that the next meets, and the rules of the
/// specification's renderer that Direct3D's drivers do not know refuse nothing: vertices that there
/// are not are zeros, and the range that a call names is a hint.
#[test]
fn each_rule_has_its_answer_and_the_next_draw_is_right() {
    let Some(mut d) = device(32, 32) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    // Two vertices of nowhere before the rectangle and two behind.
    let mut vertices = rhw(-50.0, -50.0, 0.5, RED).repeat(2);
    vertices.extend(quad(8.0, 8.0, 24.0, 24.0, 0.5, RED));
    vertices.extend(rhw(-50.0, -50.0, 0.5, RED).repeat(2));
    set_vertices(&mut d, &vertices);
    let whole = Some((8, 8, 24, 24));
    // Three indices that name nothing, and the index that names the rectangle's first corner.
    let drawn_all_the_same = [
        ("below 0", D3DFMT_INDEX16, -4, [3, 2, 1], Some(6)),
        (
            "below 0, far",
            D3DFMT_INDEX16,
            -60_000,
            [0, 1, 2],
            Some(60_002),
        ),
        ("past the vertices", D3DFMT_INDEX16, 0, [8, 9, 900], Some(2)),
        (
            "past 65,535 by the base",
            D3DFMT_INDEX16,
            65_000,
            [600, 601, 602],
            None,
        ),
        (
            "past 65,535",
            D3DFMT_INDEX32,
            0,
            [70_000, 70_001, 70_002],
            Some(2),
        ),
    ];
    for (what, format, base, nothing, corner) in drawn_all_the_same {
        let mut indices = nothing.to_vec();
        let rectangle = [0, 1, 2, 2, 1, 3];
        indices.extend(corner.iter().flat_map(|c| rectangle.map(|n| c + n)));
        set_indices(&mut d, format, &indices);
        let triangles = indices.len() as u32 / 3;
        let picture = drawn(&mut d, |d| {
            d.draw_indexed_primitive(D3DPT_TRIANGLELIST, base, 0, 1, 0, triangles)
        });
        let expected = corner.and(whole);
        assert_eq!(picture.bounds(0xFF_0000), expected, "{what}");
    }
    // Refused: more zeros than anyone means, and places that no number holds.
    let refused = [
        ("far apart", D3DFMT_INDEX32, 0, [0, 1, 2, 0x0FFF_FFFF, 3, 4]),
        (
            "the top of memory",
            D3DFMT_INDEX32,
            0,
            [0, 1, 2, u32::MAX, 3, 4],
        ),
        (
            "a high base",
            D3DFMT_INDEX32,
            i32::MAX,
            [u32::MAX - 2, u32::MAX - 1, u32::MAX, 0, 0, 0],
        ),
        (
            "only high ones",
            D3DFMT_INDEX32,
            0,
            [
                0x8000_0002,
                0x8000_0003,
                0x8000_0004,
                0x8000_0002,
                0x8000_0003,
                0x8000_0005,
            ],
        ),
    ];
    for (what, format, base, indices) in refused {
        for (primitive, count) in [(D3DPT_TRIANGLELIST, 2), (D3DPT_TRIANGLEFAN, 4)] {
            set_indices(&mut d, format, &indices);
            let answer = d.draw_indexed_primitive(primitive, base, 0, 8, 0, count);
            assert_eq!(answer, Err(HResult::INVALIDCALL), "{what}");
            assert_ne!(d.last_error(), "", "{what}");
            // In both widths, shapes that use the scratch memory of the refused one.
            for format in FORMATS {
                set_indices(&mut d, format, &[2, 3, 5, 4]);
                let picture = drawn(&mut d, |d| {
                    d.draw_indexed_primitive(D3DPT_TRIANGLEFAN, 0, 0, 8, 0, 2)
                });
                assert_eq!(picture.bounds(0xFF_0000), whole, "after {what}");
                set_indices(&mut d, format, &[9, 2, 3, 4, 4, 3, 5]);
                let picture = drawn(&mut d, |d| {
                    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 8, 1, 2)
                });
                assert_eq!(picture.bounds(0xFF_0000), whole, "after {what}");
            }
        }
    }
}
