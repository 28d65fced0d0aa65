//! What the CPU makes and what the GPU draws agree.

use super::*;

/// Draws the source directly, then its processed vertices, and compares the pictures.
fn compare(d: &mut Device, fvf: u32, count: u32, what: &str) {
    let stride = match fvf {
        _ if fvf & D3DFVF_SPECULAR != 0 => 24,
        _ => 20,
    };
    let to = blank(d, fvf, (stride * count) as usize);
    run(d, 0, count, to, 0);
    let draw = |d: &mut Device| {
        d.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF10_2030, 1.0, 0)
            .unwrap();
        d.begin_scene().unwrap();
        d.draw_primitive(D3DPT_TRIANGLELIST, 0, count / 3).unwrap();
        d.end_scene().unwrap();
        pixels(d)
    };
    let direct = draw(d);
    let (declaration, bound, shader) = (
        d.get_vertex_declaration().unwrap(),
        d.get_stream_source(0).unwrap(),
        d.get_vertex_shader().unwrap(),
    );
    d.set_vertex_shader(None).unwrap();
    d.set_fvf(fvf).unwrap();
    d.set_stream_source(0, Some(to), 0, stride).unwrap();
    let processed = draw(d);
    d.set_vertex_declaration(declaration).unwrap();
    d.set_vertex_shader(shader).unwrap();
    d.set_stream_source(0, bound.buffer, bound.offset, bound.stride)
        .unwrap();
    let (width, height) = (direct.0.width, direct.0.height);
    let mut different = 0;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (a, b) = (direct.at(x, y), processed.at(x, y));
        let far = [16, 8, 0]
            .iter()
            .any(|s| ((a >> s & 255) as i32 - (b >> s & 255) as i32).abs() > 2);
        different += u32::from(far);
    }
    assert!(
        direct.count(0x10_2030) < (width * height) as usize,
        "{what}: nothing drawn"
    );
    // Edges may fall on either side of a pixel's centre.
    assert!(
        different <= width * height / 200,
        "{what}: {different} pixels differ"
    );
}

/// Triangles in front of the eye, none of which the near plane cuts.
fn triangles(count: usize) -> Vec<f32> {
    let mut seed = 12345u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    (0..count * 3)
        .flat_map(|_| [next() * 3.0 - 1.5, next() * 3.0 - 1.5, 2.0 + next() * 4.0])
        .collect()
}

fn projection() -> Matrix {
    // Depth 1 to 10, a right angle.
    let q = 10.0 / 9.0;
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, q, 1.0],
        [0.0, 0.0, -q, 0.0],
    ]
}

#[test]
fn programs_draw_the_same_either_way() {
    let Some(mut d) = device(96, 96) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let columns: [[f32; 4]; 4] = core::array::from_fn(|j| projection().map(|row| row[j]));
    d.set_vertex_shader_constant_f(0, &columns).unwrap();
    d.set_vertex_shader_constant_f(4, &[[0.3, 0.5, 0.7, 1.0]])
        .unwrap();
    let position = element(0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
    source(&mut d, &[position], 12, &bytes(&triangles(8)));
    for (version, address) in [("vs_1_1", "mov"), ("vs_2_0", "mova"), ("vs_2_x", "mova")] {
        let text = format!(
            "{version}\n dcl_position v0\n def c10, 4, 0, 0.1, 0\n {address} a0.x, c10.x\n \
             m4x4 oPos, v0, c0\n mul r0, v0.z, c10.z\n add r0, r0, c[a0.x]\n mov oD0, r0\n"
        );
        shader(&mut d, &text);
        compare(&mut d, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, 24, &text);
    }
}

#[test]
fn the_fixed_function_draws_the_same_either_way() {
    let Some(mut d) = device(96, 96) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    d.set_transform(D3DTS_PROJECTION, &projection()).unwrap();
    let points = triangles(8);
    let mut vertices = Vec::new();
    for (n, point) in points.chunks_exact(3).enumerate() {
        vertices.extend(bytes(point));
        let tilt = (n % 5) as f32 * 0.2;
        vertices.extend(bytes(&[tilt, 0.0, -(1.0 - tilt * tilt).sqrt()]));
    }
    let from = buffer(&mut d, 0, &vertices);
    d.set_fvf(D3DFVF_XYZ | D3DFVF_NORMAL).unwrap();
    d.set_stream_source(0, Some(from), 0, 24).unwrap();
    d.set_material(&Material {
        diffuse: [0.9, 0.6, 0.3, 1.0],
        specular: [0.4; 4],
        power: 8.0,
        ..Material::default()
    })
    .unwrap();
    d.set_render_state(D3DRS_SPECULARENABLE, 1).unwrap();
    for (n, kind) in [D3DLIGHT_DIRECTIONAL, D3DLIGHT_POINT, D3DLIGHT_SPOT]
        .into_iter()
        .enumerate()
    {
        let light = Light {
            kind,
            diffuse: [0.5; 4],
            specular: [0.5; 4],
            position: [0.5, 1.0, -1.0],
            direction: [0.1, -0.2, 1.0],
            range: 100.0,
            attenuation0: 1.0,
            attenuation1: 0.05,
            falloff: 1.5,
            theta: 0.4,
            phi: 1.2,
            ..Light::default()
        };
        d.set_light(n as u32, &light).unwrap();
        d.light_enable(n as u32, true).unwrap();
    }
    let fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR;
    compare(&mut d, fvf, 24, "three lights");
    d.set_render_state(D3DRS_FOGENABLE, 1).unwrap();
    d.set_render_state(D3DRS_FOGCOLOR, 0xFF20_A040).unwrap();
    d.set_render_state(D3DRS_FOGEND, 7.0f32.to_bits()).unwrap();
    d.set_render_state(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR)
        .unwrap();
    let to = blank(&mut d, fvf, 24 * 24);
    run(&mut d, 0, 24, to, 0);
    compare(&mut d, fvf, 24, "vertex fog");
}
