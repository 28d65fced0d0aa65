//! A skinning shader as games of the time have it, against transforms worked out here.

use super::*;

const BONES: usize = 20;

/// Rotation about z by a right angle for odd bones, and a shift of its own.
fn bone(n: usize, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let (x, y) = if n % 2 == 1 { (-y, x) } else { (x, y) };
    let n = n as f32;
    [x + n, y - 2.0 * n, z + 0.5 * n]
}

fn rows(n: usize) -> [[f32; 4]; 3] {
    let shift = n as f32;
    let (x, y) = match n % 2 {
        1 => ([0.0, -1.0], [1.0, 0.0]),
        _ => ([1.0, 0.0], [0.0, 1.0]),
    };
    [
        [x[0], x[1], 0.0, shift],
        [y[0], y[1], 0.0, -2.0 * shift],
        [0.0, 0.0, 1.0, 0.5 * shift],
    ]
}

#[test]
fn skinned_vertices_are_where_their_bones_take_them() {
    let Some(mut d) = device(16, 16) else { return };
    let elements = [
        element(0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
        element(12, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0),
        element(24, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
        element(32, D3DDECLTYPE_UBYTE4N, D3DDECLUSAGE_BLENDINDICES, 0),
        element(36, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_BLENDWEIGHT, 0),
    ];
    let mut vertices = Vec::new();
    let mut expected = Vec::new();
    // More than a block and no multiple of a group.
    for n in 0..203usize {
        let place = [n as f32, (n % 7) as f32, (n % 5) as f32 * 0.25];
        let (first, second) = (n % BONES, (n * 7 + 3) % BONES);
        let weight = (n % 5) as f32 * 0.25;
        let weights = [weight, 1.0 - weight];
        let uv = [n as f32 * 0.5, 3.0];
        vertices.extend(bytes(&place));
        vertices.extend(bytes(&[0.0, 0.0, 1.0]));
        vertices.extend(bytes(&uv));
        // Indices count rows.
        vertices.extend([3 * first as u8, 3 * second as u8, 0, 0]);
        vertices.extend(bytes(&weights));
        let (a, b) = (bone(first, place), bone(second, place));
        expected.push(core::array::from_fn::<f32, 3, _>(|i| {
            a[i] * weights[0] + b[i] * weights[1]
        }));
    }
    source(&mut d, &elements, 44, &vertices);
    shader(&mut d, skin::SHADER);
    // A quarter more than the index, so that rounding of 1 / 255 does not matter.
    d.set_vertex_shader_constant_f(5, &[[0.0, 0.0, 0.0, 0.25]])
        .unwrap();
    d.set_vertex_shader_constant_f(9, &[[0.0, 0.0, 0.0, 255.0]])
        .unwrap();
    let palette: Vec<[f32; 4]> = (0..BONES).flat_map(rows).collect();
    d.set_vertex_shader_constant_f(29, &palette).unwrap();
    let fvf = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1;
    let to = blank(&mut d, fvf, 32 * 205);
    run(&mut d, 1, 203, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    assert_eq!(out[..32], [BLANK; 32]);
    for (n, expected) in expected.iter().enumerate() {
        let at = 32 * (n + 1);
        let place = floats::<3>(&out, at);
        for (x, e) in place.iter().zip(expected) {
            assert!(
                (x - e).abs() <= 1e-4 * e.abs().max(1.0),
                "{n}: {place:?}, expected {expected:?}"
            );
        }
        assert_eq!(out[at + 12..at + 24], [BLANK; 12], "the normal of {n}");
        assert_eq!(floats::<2>(&out, at + 24), [n as f32 * 0.5, 3.0]);
    }
    assert_eq!(out[32 * 204..], [BLANK; 32]);
    // A bone past the constants in the last vertex.
    let last = vertices.len() - 44 + 33;
    vertices[last] = 255;
    source(&mut d, &elements, 44, &vertices);
    let said = refused(&mut d, [0, 1, 203], to, None, D3DPV_DONOTCOPYDATA);
    assert!(said.contains("c284"), "{said}");
}
