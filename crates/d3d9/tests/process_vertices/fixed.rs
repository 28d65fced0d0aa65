//! Vertices of the fixed function.

use super::*;

fn identity_with(change: impl FnOnce(&mut Matrix)) -> Matrix {
    let mut matrix = IDENTITY;
    change(&mut matrix);
    matrix
}

const RICH: u32 = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1;

/// One vertex of `RICH` at (0.5, 0.25, 0.5) whose normal looks at the eye.
fn rich(d: &mut Device) {
    let mut vertex = bytes(&[0.5, 0.25, 0.5, 0.0, 0.0, -1.0]);
    vertex.extend(0x8011_2233u32.to_le_bytes());
    vertex.extend(0x4044_5566u32.to_le_bytes());
    vertex.extend(bytes(&[0.25, 0.75]));
    let source = buffer(d, 0, &vertex);
    d.set_fvf(RICH).unwrap();
    d.set_stream_source(0, Some(source), 0, 40).unwrap();
}

#[test]
fn without_lighting_the_colours_pass() {
    let Some(mut d) = device(64, 64) else { return };
    rich(&mut d);
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_transform(D3DTS_WORLD, &identity_with(|m| m[3][0] = 0.25))
        .unwrap();
    let fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1;
    let to = blank(&mut d, fvf, 32);
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    // (0.75 + 1) * 32, (1 - 0.25) * 32.
    assert_eq!(floats::<4>(&out, 0), [56.0, 24.0, 0.5, 1.0]);
    assert_eq!(word(&out, 16), 0x8011_2233);
    assert_eq!(word(&out, 20), 0x4044_5566);
    assert_eq!(floats::<2>(&out, 24), [0.25, 0.75]);
    // Vertices without colours are white, without specular light.
    d.set_fvf(D3DFVF_XYZ).unwrap();
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    assert_eq!(word(&out, 16), 0xFFFF_FFFF);
    assert_eq!(word(&out, 20), 0);
    assert_eq!(floats::<2>(&out, 24), [0.25, 0.75], "no set, so untouched");
}

#[test]
fn lights_shine_on_processed_vertices() {
    let Some(mut d) = device(64, 64) else { return };
    rich(&mut d);
    d.set_render_state(D3DRS_AMBIENT, 0xFF80_8080).unwrap();
    d.set_render_state(D3DRS_SPECULARENABLE, 1).unwrap();
    d.set_render_state(D3DRS_COLORVERTEX, 0).unwrap();
    d.set_material(&Material {
        diffuse: [0.6, 0.25, 1.0, 0.4],
        ambient: [0.5, 0.0, 0.0, 1.0],
        specular: [0.5, 1.0, 0.0, 0.2],
        emissive: [0.0, 0.1, 0.0, 0.0],
        power: 4.0,
    })
    .unwrap();
    d.set_light(
        0,
        &Light {
            kind: D3DLIGHT_DIRECTIONAL,
            diffuse: [1.0, 1.0, 0.2, 1.0],
            specular: [0.5, 0.25, 1.0, 1.0],
            direction: [0.0, 0.0, 2.0],
            ..Light::default()
        },
    )
    .unwrap();
    d.light_enable(0, true).unwrap();
    d.set_render_state(D3DRS_LOCALVIEWER, 0).unwrap();
    let to = blank(&mut d, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR, 24);
    run(&mut d, 0, 1, to, 0);
    let out = contents(&mut d, to);
    // Red 64 + 153 of 255, green 0.1 + 0.25, blue 0.2; alpha 0.4 of the material.
    assert_eq!(word(&out, 16), 0x66D9_5933);
    // The half vector is the normal: 0.25, 0.25, 0; alpha 0.2.
    assert_eq!(word(&out, 20), 0x3340_4000);
}

#[test]
fn coordinates_are_generated_and_transformed() {
    let Some(mut d) = device(64, 64) else { return };
    rich(&mut d);
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    let view = identity_with(|m| m[3][2] = 1.0);
    d.set_transform(D3DTS_VIEW, &view).unwrap();
    d.set_texture_stage_state(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEPOSITION)
        .unwrap();
    // Set 0 through a matrix that doubles u and moves by its third row.
    d.set_texture_stage_state(1, D3DTSS_TEXCOORDINDEX, 0)
        .unwrap();
    d.set_texture_stage_state(1, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2)
        .unwrap();
    let matrix = identity_with(|m| {
        m[0][0] = 2.0;
        m[2] = [0.5, -1.0, 0.0, 0.0];
    });
    d.set_transform(D3DTS_TEXTURE1, &matrix).unwrap();
    // Position, then sets of four, two and one numbers.
    let fvf = D3DFVF_XYZRHW | D3DFVF_TEX3 | 2 << 16 | 3 << 20;
    let to = blank(&mut d, fvf, 44);
    run(&mut d, 0, 1, to, 0);
    let out = contents(&mut d, to);
    assert_eq!(floats::<3>(&out, 16), [0.5, 0.25, 1.5]);
    assert_eq!(
        out[28..32],
        [BLANK; 4],
        "three numbers are made, the fourth stays"
    );
    assert_eq!(floats::<2>(&out, 32), [1.0, -0.25]);
    assert_eq!(out[40..44], [BLANK; 4], "stage 2 has no set");
}

#[test]
fn the_fog_factor_is_the_specular_alpha() {
    let Some(mut d) = device(64, 64) else { return };
    rich(&mut d);
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_FOGENABLE, 1).unwrap();
    d.set_render_state(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR)
        .unwrap();
    d.set_render_state(D3DRS_FOGSTART, 0.3f32.to_bits())
        .unwrap();
    d.set_render_state(D3DRS_FOGEND, 0.8f32.to_bits()).unwrap();
    let to = blank(&mut d, D3DFVF_XYZRHW | D3DFVF_SPECULAR, 20);
    run(&mut d, 0, 1, to, 0);
    // (0.8 - 0.5) / 0.5 = 0.6 of 255.
    assert_eq!(word(&contents(&mut d, to), 16), 0x9944_5566);
    d.set_render_state(D3DRS_FOGVERTEXMODE, D3DFOG_NONE)
        .unwrap();
    run(&mut d, 0, 1, to, 0);
    assert_eq!(word(&contents(&mut d, to), 16), 0x4044_5566);
}

#[test]
fn every_one_of_256_world_matrices_blends() {
    let Some(mut d) = device(64, 64) else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_VERTEXBLEND, D3DVBF_1WEIGHTS)
        .unwrap();
    d.set_render_state(D3DRS_INDEXEDVERTEXBLENDENABLE, 1)
        .unwrap();
    for n in 0..256u32 {
        let matrix = identity_with(|m| m[3][0] = n as f32);
        d.set_transform(D3DTS_WORLD + n, &matrix).unwrap();
    }
    let mut vertices = Vec::new();
    for n in 0..=255u8 {
        vertices.extend(bytes(&[0.5, 0.0, 0.25, 0.75]));
        vertices.extend([n, 255 - n, 0, 0]);
    }
    let from = buffer(&mut d, 0, &vertices);
    d.set_fvf(D3DFVF_XYZB2 | D3DFVF_LASTBETA_UBYTE4).unwrap();
    d.set_stream_source(0, Some(from), 0, 20).unwrap();
    let to = blank(&mut d, D3DFVF_XYZW, 16 * 256);
    run(&mut d, 0, 256, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    for n in 0..256 {
        let x = 0.5 + 0.75 * n as f32 + 0.25 * (255 - n) as f32;
        assert_eq!(floats::<4>(&out, 16 * n), [x, 0.0, 0.25, 1.0], "vertex {n}");
    }
}

#[test]
fn vertices_in_pixels_pass_and_need_a_position() {
    let Some(mut d) = device(64, 64) else { return };
    let mut vertex = bytes(&[3.3, 5.7, 0.123, 0.77]);
    vertex.extend(0xFF01_0203u32.to_le_bytes());
    let from = buffer(&mut d, 0, &vertex);
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    d.set_stream_source(0, Some(from), 0, 20).unwrap();
    let to = blank(&mut d, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, 20);
    run(&mut d, 0, 1, to, 0);
    assert_eq!(contents(&mut d, to), vertex);
    d.set_fvf(D3DFVF_DIFFUSE).unwrap();
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("position"));
}
