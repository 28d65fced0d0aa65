//! Behaviours that users of other Direct3D 9 implementations reported, through the device. The
//! name says whose report it was; the right values are worked out here.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const EDGE: u32 = 64;

fn set(d: &mut Device, states: &[(u32, u32)]) {
    for &(state, value) in states {
        d.set_render_state(state, value).unwrap();
    }
}

fn stage(d: &mut Device, n: u32, states: &[(u32, u32)]) {
    for &(state, value) in states {
        d.set_texture_stage_state(n, state, value).unwrap();
    }
}

fn clear(d: &mut Device) {
    d.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF00_0000, 1.0, 0)
        .unwrap();
}

fn texture(d: &mut Device, width: u32, height: u32, texels: &[u32]) -> TextureHandle {
    let t = d
        .create_texture(width, height, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    let data: Vec<u8> = texels.iter().flat_map(|t| t.to_le_bytes()).collect();
    let level = LevelTarget::from((t, 0));
    fill(d, level, width as usize * 4, &data);
    t
}

/// A rectangle over everything with one set of coordinates, the same at each corner:
/// `D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1`.
fn everything(color: u32, u: f32, v: f32) -> Vec<u8> {
    [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .into_iter()
        .flat_map(|(x, y)| {
            let mut out = bytes(&[x, y, 0.5]);
            out.extend(color.to_le_bytes());
            out.extend(bytes(&[u, v]));
            out
        })
        .collect()
}

fn draw_everything(d: &mut Device, color: u32, u: f32, v: f32) -> Pixels {
    clear(d);
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1)
        .unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &everything(color, u, v), 24)
        .unwrap();
    pixels(d)
}

#[test]
fn dxvk_1864_pixel_centres_are_at_integers() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    // A centre on the left or top edge is in, one on the right or bottom edge is out.
    for (offset, first) in [(0.0, 10), (-0.5, 10), (0.25, 11), (0.5, 11)] {
        clear(&mut d);
        draw_quad(
            &mut d,
            10.0 + offset,
            10.0 + offset,
            20.0 + offset,
            20.0 + offset,
            0.5,
            0xFFFF_FFFF,
        );
        assert_eq!(
            pixels(&mut d).bounds(0xFF_FFFF),
            Some((first, first, first + 10, first + 10)),
            "shifted by {offset}"
        );
    }
}

#[test]
fn dxvk_2892_depth_bias_is_in_units_of_depth() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    set(&mut d, &[(D3DRS_ZFUNC, D3DCMP_LESS)]);
    for (bias, seen) in [(-0.009_f32, false), (-0.011, true)] {
        clear(&mut d);
        draw_quad(&mut d, 0.0, 0.0, 64.0, 64.0, 0.25, 0xFFFF_0000);
        set(&mut d, &[(D3DRS_DEPTHBIAS, bias.to_bits())]);
        draw_quad(&mut d, 0.0, 0.0, 64.0, 64.0, 0.26, 0xFF00_FF00);
        set(&mut d, &[(D3DRS_DEPTHBIAS, 0)]);
        let expected = if seen { 0x00_FF00 } else { 0xFF_0000 };
        assert_eq!(pixels(&mut d).at(32, 32), expected, "bias {bias}");
    }
}

#[test]
fn mesa_188_points_shrink_with_the_root_of_the_distance_polynomial() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    set(
        &mut d,
        &[
            (D3DRS_LIGHTING, 0),
            (D3DRS_POINTSCALEENABLE, 1),
            (D3DRS_POINTSIZE, 0.25f32.to_bits()),
            (D3DRS_POINTSCALE_A, 1f32.to_bits()),
            (D3DRS_POINTSCALE_B, 1.5f32.to_bits()),
            (D3DRS_POINTSCALE_C, 3f32.to_bits()),
        ],
    );
    // The point is at a distance of 2: 1 + 1.5 * 2 + 3 * 4 = 16, so 0.25 * 64 / 4 pixels.
    let mut projection = [[0.0; 4]; 4];
    (projection[0][0], projection[1][1]) = (1.0, 1.0);
    (projection[3][2], projection[3][3]) = (0.5, 1.0);
    d.set_transform(D3DTS_PROJECTION, &projection).unwrap();
    d.set_fvf(D3DFVF_XYZ).unwrap();
    d.draw_primitive_up(D3DPT_POINTLIST, 1, &bytes(&[0.0, 0.0, 2.0]), 12)
        .unwrap();
    assert_eq!(pixels(&mut d).bounds(0xFF_FFFF), Some((30, 30, 34, 34)));
}

#[test]
fn mtld3d_708_dotproduct3_writes_alpha() {
    let Some(mut d) = device_with(&PresentParameters {
        back_buffer_format: D3DFMT_A8R8G8B8,
        ..PresentParameters::windowed(EDGE, EDGE)
    }) else {
        return;
    };
    stage(
        &mut d,
        0,
        &[
            (D3DTSS_COLOROP, D3DTOP_DOTPRODUCT3),
            (D3DTSS_COLORARG1, D3DTA_DIFFUSE),
            (D3DTSS_COLORARG2, D3DTA_TFACTOR),
            (D3DTSS_ALPHAOP, D3DTOP_SELECTARG1),
            (D3DTSS_ALPHAARG1, D3DTA_DIFFUSE),
        ],
    );
    set(&mut d, &[(D3DRS_TEXTUREFACTOR, 0x00FF_80FF)]);
    // 4 ((0.75 - 0.5)(1 - 0.5) + 0 + (0.25 - 0.5)(1 - 0.5)) + what 0x80 is past a half: 0, and
    // with blue at 0.5 it is 0.5.
    let p = draw_everything(&mut d, 0x40BF_8080, 0.0, 0.0);
    assert_near(p.at(32, 32), 0x80_8080, 1, "colour");
    assert!(p.alpha(32, 32).abs_diff(0x80) <= 1, "{}", p.alpha(32, 32));
}

#[test]
fn dxvk_4015_the_transform_is_the_stages_and_the_set_the_index() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    let colors = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FFFF];
    let t = texture(&mut d, 4, 1, &colors);
    d.set_texture(1, Some(t.into())).unwrap();
    stage(
        &mut d,
        0,
        &[
            (D3DTSS_COLOROP, D3DTOP_SELECTARG1),
            (D3DTSS_COLORARG1, D3DTA_DIFFUSE),
        ],
    );
    stage(
        &mut d,
        1,
        &[
            (D3DTSS_COLOROP, D3DTOP_SELECTARG1),
            (D3DTSS_COLORARG1, D3DTA_TEXTURE),
            (D3DTSS_TEXCOORDINDEX, 0),
            (D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2),
        ],
    );
    let mut half = [[0.0; 4]; 4];
    // u' = u / 2 + 0.5, the shift in the third row because two coordinates are given.
    (half[0][0], half[2][0], half[3][3]) = (0.5, 0.5, 1.0);
    d.set_transform(D3DTS_TEXTURE0 + 1, &half).unwrap();
    // Stage 0's matrix has nothing to do with it.
    d.set_transform(D3DTS_TEXTURE0, &[[9.0; 4]; 4]).unwrap();
    let p = draw_everything(&mut d, 0xFF12_3456, 0.3, 0.5);
    assert_eq!(p.at(32, 32), 0x00_00FF, "0.65 of four texels is the third");
}

#[test]
fn mtld3d_785_a_bump_map_moves_the_next_lookup() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    let bump = d
        .create_texture(1, 1, 1, 0, D3DFMT_V8U8, D3DPOOL_MANAGED)
        .unwrap();
    // du = 64/127, dv = -32/127.
    fill(&mut d, LevelTarget::from((bump, 0)), 2, &[64, 0xE0]);
    let ramp: Vec<u32> = (0..64).map(|n| 0xFF00_0000 | n << 18 | n << 10).collect();
    let across = texture(&mut d, 64, 1, &ramp);
    d.set_texture(0, Some(bump.into())).unwrap();
    d.set_texture(1, Some(across.into())).unwrap();
    let bits = |v: f32| v.to_bits();
    stage(
        &mut d,
        0,
        &[
            (D3DTSS_COLOROP, D3DTOP_BUMPENVMAP),
            (D3DTSS_BUMPENVMAT00, bits(0.5)),
            (D3DTSS_BUMPENVMAT01, bits(3.0)),
            (D3DTSS_BUMPENVMAT10, bits(0.25)),
            (D3DTSS_BUMPENVMAT11, bits(7.0)),
        ],
    );
    stage(
        &mut d,
        1,
        &[
            (D3DTSS_COLOROP, D3DTOP_SELECTARG1),
            (D3DTSS_COLORARG1, D3DTA_TEXTURE),
            (D3DTSS_TEXCOORDINDEX, 0),
        ],
    );
    let p = draw_everything(&mut d, u32::MAX, 0.3, 0.5);
    // u' = u + du M00 + dv M10.
    let u = 0.3 + 0.5 * 64.0 / 127.0 - 0.25 * 32.0 / 127.0;
    let texel = (u * 64.0f32).floor() as u32;
    assert_eq!(p.at(32, 32), texel << 18 | texel << 10);
}

/// What the report asks for is what Windows does: the specular alpha, 0 where there is none.
#[test]
fn dxvk_5470_fog_without_a_mode_is_the_specular_alpha() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    set(
        &mut d,
        &[
            (D3DRS_LIGHTING, 0),
            (D3DRS_FOGENABLE, 1),
            (D3DRS_FOGCOLOR, 0xFF_0000),
        ],
    );
    let p = draw_everything(&mut d, 0xFF00_FF00, 0.0, 0.0);
    assert_eq!(p.at(32, 32), 0xFF_0000, "no specular colour: all fog");
    clear(&mut d);
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR)
        .unwrap();
    let vertices: Vec<u8> = [(0.0, 0.0), (64.0, 0.0), (0.0, 64.0), (64.0, 64.0)]
        .into_iter()
        .flat_map(|(x, y)| {
            let mut out = rhw(x, y, 0.5, 0xFF00_FF00);
            out.extend(0x4000_0000u32.to_le_bytes());
            out
        })
        .collect();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &vertices, 24)
        .unwrap();
    assert_near(pixels(&mut d).at(32, 32), 0xBF_4000, 1, "a quarter is left");
}

#[test]
fn dxvk_pr5723_table_fog_of_pretransformed_vertices_goes_by_w() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    set(
        &mut d,
        &[
            (D3DRS_FOGENABLE, 1),
            (D3DRS_FOGCOLOR, 0xFF_0000),
            (D3DRS_FOGTABLEMODE, D3DFOG_LINEAR),
            (D3DRS_FOGSTART, 0f32.to_bits()),
            (D3DRS_FOGEND, 8f32.to_bits()),
        ],
    );
    let mut perspective = [[0.0; 4]; 4];
    (perspective[0][0], perspective[1][1]) = (1.0, 1.0);
    (perspective[2][2], perspective[2][3], perspective[3][2]) = (1.0, 1.0, -0.1);
    d.set_transform(D3DTS_PROJECTION, &perspective).unwrap();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    // 1/w = 1/2: a quarter of the way to the end.
    let vertices: Vec<u8> = [(0.0, 0.0), (64.0, 0.0), (0.0, 64.0), (64.0, 64.0)]
        .into_iter()
        .flat_map(|(x, y)| {
            let mut out = bytes(&[x, y, 0.9, 0.5]);
            out.extend(0xFF00_FF00u32.to_le_bytes());
            out
        })
        .collect();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &vertices, 20)
        .unwrap();
    assert_near(pixels(&mut d).at(32, 32), 0x40_BF00, 1, "by w");
}

#[test]
fn dxvk_2217_and_pr1432_alpha_test() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    set(&mut d, &[(D3DRS_ALPHATESTENABLE, 1)]);
    // (function, reference, passes) for an alpha of 0x80; references are 8 bits.
    for (func, reference, passes) in [
        (D3DCMP_NEVER, 0, false),
        (D3DCMP_EQUAL, 0x80, true),
        (D3DCMP_EQUAL, 0x180, true),
        (D3DCMP_NOTEQUAL, 0xF80, false),
        (D3DCMP_LESS, 0x80, false),
        (D3DCMP_LESS, 0x81, true),
        (D3DCMP_GREATEREQUAL, 0x181, false),
        (D3DCMP_ALWAYS, 0xFF, true),
    ] {
        set(
            &mut d,
            &[(D3DRS_ALPHAFUNC, func), (D3DRS_ALPHAREF, reference)],
        );
        let p = draw_everything(&mut d, 0x80FF_FFFF, 0.0, 0.0);
        let expected = if passes { 0xFF_FFFF } else { 0 };
        assert_eq!(p.at(32, 32), expected, "{func} {reference:#x}");
    }
}

/// A one-texel texture of a format, seen through stage 0 on its own.
fn see(d: &mut Device, format: u32, texel: &[u8]) {
    let t = d
        .create_texture(1, 1, 1, 0, format, D3DPOOL_MANAGED)
        .unwrap();
    fill(d, LevelTarget::from((t, 0)), texel.len(), texel);
    d.set_texture(0, Some(t.into())).unwrap();
    stage(
        d,
        0,
        &[
            (D3DTSS_COLOROP, D3DTOP_SELECTARG1),
            (D3DTSS_COLORARG1, D3DTA_TEXTURE),
            (D3DTSS_ALPHAOP, D3DTOP_SELECTARG1),
            (D3DTSS_ALPHAARG1, D3DTA_TEXTURE),
        ],
    );
}

/// The alpha of a border is the colour's alpha, whatever channels the format keeps.
#[test]
fn dxvk_5388_the_border_of_a8l8_has_the_alpha_of_its_colour() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    see(&mut d, D3DFMT_A8L8, &[0xFF, 0xFF]);
    for axis in [D3DSAMP_ADDRESSU, D3DSAMP_ADDRESSV] {
        d.set_sampler_state(0, axis, D3DTADDRESS_BORDER).unwrap();
    }
    d.set_sampler_state(0, D3DSAMP_BORDERCOLOR, 0x4080_8080)
        .unwrap();
    // Blending with the alpha shows it: 0x80 * 0x40 / 0xFF.
    set(
        &mut d,
        &[
            (D3DRS_ALPHABLENDENABLE, 1),
            (D3DRS_SRCBLEND, D3DBLEND_SRCALPHA),
            (D3DRS_DESTBLEND, D3DBLEND_ZERO),
        ],
    );
    let outside = draw_everything(&mut d, u32::MAX, 3.0, 3.0).at(32, 32);
    assert_near(outside, 0x20_2020, 1, "outside");
    let inside = draw_everything(&mut d, u32::MAX, 0.5, 0.5).at(32, 32);
    assert_eq!(inside, 0xFF_FFFF);
}

#[test]
fn dxvk_1825_textures_of_24_bits() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    let t = d
        .create_texture(3, 2, 1, 0, D3DFMT_R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    let lock = d.lock_rect(LevelTarget::from((t, 0)), None, 0).unwrap();
    // Rows begin at multiples of four bytes.
    assert_eq!(lock.pitch, 12);
    d.unlock_rect(LevelTarget::from((t, 0))).unwrap();
    // Blue, green, red.
    see(&mut d, D3DFMT_R8G8B8, &[0x56, 0x34, 0x12]);
    let p = draw_everything(&mut d, u32::MAX, 0.5, 0.5);
    assert_eq!(p.at(32, 32), 0x12_3456);
}

#[test]
fn dxvk_5608_l8_is_never_read_as_srgb() {
    let Some(direct3d) = direct3d() else { return };
    let srgb = |format| {
        let asked = D3DUSAGE_QUERY_SRGBREAD;
        direct3d.check_device_format(D3DFMT_X8R8G8B8, asked, D3DRTYPE_TEXTURE, format)
    };
    assert_eq!(srgb(D3DFMT_L8), Err(HResult::NOTAVAILABLE));
    assert!(srgb(D3DFMT_A8R8G8B8).is_ok());
    let mut d = direct3d
        .create_device(&PresentParameters::windowed(EDGE, EDGE))
        .unwrap();
    d.set_sampler_state(0, D3DSAMP_SRGBTEXTURE, 1).unwrap();
    see(&mut d, D3DFMT_L8, &[0x80]);
    assert_eq!(
        draw_everything(&mut d, u32::MAX, 0.5, 0.5).at(32, 32),
        0x80_8080
    );
    // 0x80 decoded is 0.2158.
    see(&mut d, D3DFMT_A8R8G8B8, &[0x80, 0x80, 0x80, 0xFF]);
    let decoded = draw_everything(&mut d, u32::MAX, 0.5, 0.5).at(32, 32);
    assert_near(decoded, 0x37_3737, 1, "decoded");
}

/// What a game does with `ProcessVertices`: it transforms a mesh once and draws the outcome as
/// pretransformed vertices, which must cover what the mesh itself covers.
#[test]
fn dxvk_4115_and_d9vk_242_processed_vertices_draw_as_the_mesh_does() {
    let Some(direct3d) = direct3d() else { return };
    let mut d = direct3d
        .create_device_with(
            &PresentParameters::windowed(EDGE, EDGE),
            D3DCREATE_MIXED_VERTEXPROCESSING,
        )
        .unwrap();
    set(
        &mut d,
        &[(D3DRS_LIGHTING, 0), (D3DRS_CULLMODE, D3DCULL_NONE)],
    );
    let mut turned = IDENTITY;
    (turned[0][0], turned[0][1], turned[1][0], turned[1][1]) = (0.8, 0.6, -0.6, 0.8);
    turned[3][2] = 0.25;
    d.set_transform(D3DTS_WORLD, &turned).unwrap();
    let mut mesh = Vec::new();
    for (x, y, color) in [
        (-0.7f32, -0.6f32, 0xFFFF_0000u32),
        (0.8, -0.5, 0xFF00_FF00),
        (0.1, 0.9, 0xFF00_00FF),
    ] {
        mesh.extend(bytes(&[x, y, 0.25]));
        mesh.extend(color.to_le_bytes());
    }
    let fvf = D3DFVF_XYZ | D3DFVF_DIFFUSE;
    let made = |d: &mut Device, size: u32, fvf: u32| {
        d.create_vertex_buffer(size, 0, fvf, D3DPOOL_SYSTEMMEM)
            .unwrap()
    };
    let source = made(&mut d, 48, fvf);
    d.vertex_buffer_lock(source, 0, 0, 0).unwrap();
    d.vertex_buffer_bytes_mut(source)
        .unwrap()
        .copy_from_slice(&mesh);
    d.vertex_buffer_unlock(source).unwrap();
    let pretransformed = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
    let out = made(&mut d, 60, pretransformed);

    clear(&mut d);
    d.set_fvf(fvf).unwrap();
    d.set_stream_source(0, Some(source), 0, 16).unwrap();
    d.draw_primitive(D3DPT_TRIANGLELIST, 0, 1).unwrap();
    let direct = pixels(&mut d);

    d.set_software_vertex_processing(true).unwrap();
    d.process_vertices(0, 0, 3, out, None, 0).unwrap();
    clear(&mut d);
    d.set_fvf(pretransformed).unwrap();
    d.set_stream_source(0, Some(out), 0, 20).unwrap();
    d.draw_primitive(D3DPT_TRIANGLELIST, 0, 1).unwrap();
    let processed = pixels(&mut d);
    let mut covered = 0;
    for y in 0..EDGE {
        for x in 0..EDGE {
            let (a, b) = (direct.at(x, y), processed.at(x, y));
            covered += u32::from(a != 0);
            assert_near(b, a, 2, "the same pixel");
        }
    }
    assert!(covered > 600, "{covered} pixels of the triangle");
}

/// Numbers are constants: lights, materials, fog, factors and matrices that move make no shader.
#[test]
fn dxvk_3534_states_of_the_fixed_function_share_their_shaders() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    set(
        &mut d,
        &[
            (D3DRS_FOGENABLE, 1),
            (D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR),
            (D3DRS_SPECULARENABLE, 1),
        ],
    );
    let part = |n: u32| n as f32 / 100.0;
    let draw = |d: &mut Device, n: u32| {
        let color = [part(n), 1.0 - part(n), 0.5, 1.0];
        // Between one and eight lights of one type.
        for index in 0..8 {
            let light = Light {
                kind: D3DLIGHT_POINT,
                diffuse: color,
                specular: color,
                position: [part(n), 0.0, -1.0 - index as f32],
                range: 10.0 + part(n),
                attenuation0: 1.0 + part(n),
                ..Light::default()
            };
            d.set_light(index, &light).unwrap();
            d.light_enable(index, index <= n % 8).unwrap();
        }
        d.set_material(&Material {
            diffuse: color,
            power: 1.0 + n as f32,
            ..Material::default()
        })
        .unwrap();
        let mut moved = IDENTITY;
        moved[3][0] = part(n);
        d.set_transform(D3DTS_WORLD, &moved).unwrap();
        set(
            d,
            &[
                (D3DRS_AMBIENT, 0x0101_0101 * n),
                (D3DRS_FOGCOLOR, 0x0001_0203 * n),
                (D3DRS_FOGEND, (2.0 + part(n)).to_bits()),
                (D3DRS_TEXTUREFACTOR, 0x0203_0405 * n),
            ],
        );
        d.set_fvf(D3DFVF_XYZ | D3DFVF_NORMAL).unwrap();
        let corners = [[-1.0, 1.0], [3.0, 1.0], [-1.0, -3.0]];
        let vertices: Vec<f32> = corners
            .into_iter()
            .flat_map(|[x, y]| [x, y, 0.5, 0.0, 0.0, -1.0])
            .collect();
        d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &bytes(&vertices), 24)
            .unwrap();
        let stats = d.renderer_stats();
        (stats.shaders_translated, stats.pipelines_built)
    };
    let first = draw(&mut d, 1);
    for n in 2..100 {
        assert_eq!(draw(&mut d, n), first, "state {n}");
    }
}
