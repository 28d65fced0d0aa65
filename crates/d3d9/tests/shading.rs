//! Fixed-function lighting, texture stages, fog, alpha test and shaders, by arithmetic.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// A rectangle over all of clip space, facing the viewer: `D3DFVF_XYZ | D3DFVF_NORMAL`.
fn facing(normal: [f32; 3], z: f32) -> Vec<u8> {
    [(-2.0, 2.0), (2.0, 2.0), (-2.0, -2.0), (2.0, -2.0)]
        .into_iter()
        .flat_map(|(x, y)| bytes(&[x, y, z, normal[0], normal[1], normal[2]]))
        .collect()
}

fn unculled(size: u32) -> Option<Device> {
    let mut d = device(size, size)?;
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    Some(d)
}

fn draw_facing(d: &mut Device, normal: [f32; 3]) -> u32 {
    d.set_fvf(D3DFVF_XYZ | D3DFVF_NORMAL).unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &facing(normal, 0.5), 24)
        .unwrap();
    pixels(d).at(1, 1)
}

fn white() -> Material {
    Material {
        diffuse: [1.0; 4],
        ambient: [1.0; 4],
        ..Material::default()
    }
}

#[test]
fn a_directional_light_follows_the_cosine() {
    let Some(mut d) = unculled(4) else { return };
    d.set_material(&white()).unwrap();
    // The light shines along +z; the surface looks back along -z, tilted by 60 degrees.
    d.set_light(
        3,
        &Light {
            diffuse: [1.0, 0.5, 0.0, 1.0],
            ..Light::default()
        },
    )
    .unwrap();
    d.light_enable(3, true).unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0xFF8000,
        1,
        "straight on",
    );
    let (sin, cos) = 60f32.to_radians().sin_cos();
    assert_near(draw_facing(&mut d, [sin, 0.0, -cos]), 0x804000, 1, "half");
    assert_near(draw_facing(&mut d, [0.0, 0.0, 1.0]), 0, 0, "from behind");
    // Half the reflectance, plus ambient 0x20.
    d.set_material(&Material {
        diffuse: [0.5; 4],
        ..white()
    })
    .unwrap();
    d.set_render_state(D3DRS_AMBIENT, 0x0020_2020).unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0xA06020,
        1,
        "material and ambient",
    );
    d.light_enable(3, false).unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0x202020,
        0,
        "ambient alone",
    );
}

#[test]
fn a_point_light_fades_and_ends_at_its_range() {
    let Some(mut d) = unculled(4) else { return };
    d.set_material(&white()).unwrap();
    // Pixel (1, 1) of four is near enough the centre; the light is far, so the angle is small.
    // At distance 100: 1 / (0.02 * 100) = 0.5.
    let light = Light {
        kind: D3DLIGHT_POINT,
        diffuse: [1.0; 4],
        position: [0.0, 0.0, -99.5],
        range: 1000.0,
        attenuation1: 0.02,
        ..Light::default()
    };
    d.set_light(0, &light).unwrap();
    d.light_enable(0, true).unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0x808080,
        1,
        "half at 100",
    );
    d.set_light(
        0,
        &Light {
            range: 50.0,
            ..light
        },
    )
    .unwrap();
    assert_near(draw_facing(&mut d, [0.0, 0.0, -1.0]), 0, 0, "out of range");
}

#[test]
fn a_ninth_light_shines_once_enabled_again() {
    let Some(mut d) = unculled(4) else { return };
    d.set_material(&white()).unwrap();
    for index in 0..9 {
        let blue = if index == 8 { 1.0 } else { 0.0 };
        d.set_light(
            index * 10,
            &Light {
                diffuse: [0.1, 0.0, blue, 1.0],
                ..Light::default()
            },
        )
        .unwrap();
        d.light_enable(index * 10, true).unwrap();
    }
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0xCC0000,
        1,
        "eight tenths, no blue",
    );
    d.light_enable(0, false).unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0xB30000,
        1,
        "seven tenths: the ninth stays dark, as wined3d has it",
    );
    d.light_enable(80, true).unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0xCC00FF,
        1,
        "the ninth shines",
    );
}

#[test]
fn matrices_are_applied_in_the_order_world_view_projection() {
    let Some(mut d) = unculled(8) else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    let scale = |s: f32| {
        [
            [s, 0.0, 0.0, 0.0],
            [0.0, s, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    };
    let shift = |x: f32| {
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [x, 0.0, 0.0, 1.0],
        ]
    };
    // A unit square: doubled, moved by one, halved: x from 0.5 - 0.5 to 0.5 + 0.5, y from -0.5 to 0.5.
    d.set_transform(D3DTS_WORLD, &scale(2.0)).unwrap();
    d.set_transform(D3DTS_VIEW, &shift(1.0)).unwrap();
    d.set_transform(D3DTS_PROJECTION, &scale(0.5)).unwrap();
    let mut v = Vec::new();
    for (x, y) in [
        (-0.51f32, 0.51f32),
        (0.51, 0.51),
        (-0.51, -0.51),
        (0.51, -0.51),
    ] {
        v.extend(bytes(&[x, y, 0.5]));
        v.extend_from_slice(&0xFF00_FFFFu32.to_le_bytes());
    }
    d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE).unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 16).unwrap();
    // Clip x 0 to 1 is pixels 4 to 8, and y 0.5 to -0.5 pixels 2 to 6; centres at integers.
    assert_eq!(pixels(&mut d).bounds(0x00FFFF), Some((4, 2, 8, 7)));
    d.multiply_transform(D3DTS_WORLD, &shift(1.0)).unwrap();
    let product = d.get_transform(D3DTS_WORLD).unwrap();
    assert_eq!(
        product[3],
        [2.0, 0.0, 0.0, 1.0],
        "the new matrix comes first"
    );
}

#[test]
fn stages_combine_texture_diffuse_factor_and_constant() {
    let Some(mut d) = unculled(4) else { return };
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (t, 0), 16, &0x8040_80C0u32.to_le_bytes().repeat(16));
    d.set_texture(0, Some(t.into())).unwrap();
    let draw = |d: &mut Device, diffuse: u32| {
        draw_textured(d, 0.0, 0.0, 4.0, 4.0, diffuse);
        pixels(d).at(1, 1)
    };
    // The default: texture times diffuse.
    assert_near(draw(&mut d, 0xFFFF_8000), 0x404000, 1, "modulate");
    d.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_ADD)
        .unwrap();
    assert_near(draw(&mut d, 0xFF10_2030), 0x50A0F0, 0, "add");
    d.set_texture_stage_state(0, D3DTSS_COLORARG2, D3DTA_TFACTOR)
        .unwrap();
    d.set_render_state(D3DRS_TEXTUREFACTOR, 0xFF01_0203)
        .unwrap();
    assert_near(draw(&mut d, 0), 0x4182C3, 0, "texture factor");
    d.set_texture_stage_state(0, D3DTSS_COLORARG2, D3DTA_TEXTURE | D3DTA_ALPHAREPLICATE)
        .unwrap();
    assert_near(draw(&mut d, 0), 0xC0FFFF, 0, "the texture's alpha");
    d.set_texture_stage_state(0, D3DTSS_COLORARG2, D3DTA_CONSTANT)
        .unwrap();
    d.set_texture_stage_state(0, D3DTSS_CONSTANT, 0x0030_0000)
        .unwrap();
    assert_near(draw(&mut d, 0), 0x7080C0, 0, "the stage's constant");
    // A second stage on the result of the first.
    d.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1)
        .unwrap();
    d.set_texture_stage_state(1, D3DTSS_COLOROP, D3DTOP_SUBTRACT)
        .unwrap();
    d.set_texture_stage_state(1, D3DTSS_COLORARG1, D3DTA_CURRENT)
        .unwrap();
    d.set_texture_stage_state(1, D3DTSS_COLORARG2, D3DTA_DIFFUSE)
        .unwrap();
    assert_near(draw(&mut d, 0xFF40_4040), 0x004080, 0, "stage 1 subtracts");
}

#[test]
fn the_second_stage_has_its_own_texture_and_coordinates() {
    let Some(mut d) = unculled(4) else { return };
    let a = d
        .create_texture(1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (a, 0), 4, &0xFF80_8080u32.to_le_bytes());
    let b = d
        .create_texture(2, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    fill(
        &mut d,
        (b, 0),
        8,
        &[0xFFFF_0000u32.to_le_bytes(), 0xFF00_00FFu32.to_le_bytes()].concat(),
    );
    d.set_texture(0, Some(a.into())).unwrap();
    d.set_texture(1, Some(b.into())).unwrap();
    d.set_texture_stage_state(1, D3DTSS_COLOROP, D3DTOP_MODULATE)
        .unwrap();
    // Stage 1 reads set 0.
    d.set_texture_stage_state(1, D3DTSS_TEXCOORDINDEX, 0)
        .unwrap();
    draw_textured(&mut d, 0.0, 0.0, 4.0, 4.0, 0xFFFF_FFFF);
    let p = pixels(&mut d);
    assert_near(p.at(0, 0), 0x800000, 1, "left");
    assert_near(p.at(3, 0), 0x000080, 1, "right");
}

#[test]
fn alpha_test_compares_with_the_low_byte_of_the_reference() {
    let Some(mut d) = unculled(4) else { return };
    d.set_render_state(D3DRS_ALPHATESTENABLE, 1).unwrap();
    d.set_render_state(D3DRS_ALPHAREF, 0xABCD_EF80).unwrap();
    let passes = |f: u32, alpha: u32| match f {
        D3DCMP_NEVER => false,
        D3DCMP_LESS => alpha < 0x80,
        D3DCMP_EQUAL => alpha == 0x80,
        D3DCMP_LESSEQUAL => alpha <= 0x80,
        D3DCMP_GREATER => alpha > 0x80,
        D3DCMP_NOTEQUAL => alpha != 0x80,
        D3DCMP_GREATEREQUAL => alpha >= 0x80,
        _ => true,
    };
    for func in D3DCMP_NEVER..=D3DCMP_ALWAYS {
        d.set_render_state(D3DRS_ALPHAFUNC, func).unwrap();
        for alpha in [0x7F, 0x80, 0x81] {
            d.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0, 0)
                .unwrap();
            draw_quad(&mut d, -1.0, -1.0, 4.0, 4.0, 0.5, alpha << 24 | 0xFFFFFF);
            let drawn = pixels(&mut d).at(1, 1) == 0xFFFFFF;
            assert_eq!(
                drawn,
                passes(func, alpha),
                "function {func}, alpha {alpha:#x}"
            );
        }
    }
}

#[test]
fn linear_vertex_fog_mixes_by_depth() {
    let Some(mut d) = unculled(4) else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_FOGENABLE, 1).unwrap();
    d.set_render_state(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR)
        .unwrap();
    d.set_render_state(D3DRS_FOGCOLOR, 0x0000_00FF).unwrap();
    d.set_render_state(D3DRS_FOGSTART, 0.25f32.to_bits())
        .unwrap();
    d.set_render_state(D3DRS_FOGEND, 1.25f32.to_bits()).unwrap();
    // View-space z 0.5: factor (1.25 - 0.5) / 1 = 0.75 of white, a quarter of blue.
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0xBFBFFF,
        1,
        "vertex fog",
    );
    // Table fog beats vertex fog: exp(-0.5 * 2) = 0.3679.
    d.set_render_state(D3DRS_FOGTABLEMODE, D3DFOG_EXP).unwrap();
    d.set_render_state(D3DRS_FOGDENSITY, 2.0f32.to_bits())
        .unwrap();
    assert_near(
        draw_facing(&mut d, [0.0, 0.0, -1.0]),
        0x5E5EFF,
        1,
        "table fog by z",
    );
    d.set_render_state(D3DRS_FOGENABLE, 0).unwrap();
    assert_near(draw_facing(&mut d, [0.0, 0.0, -1.0]), 0xFFFFFF, 0, "no fog");
}

#[test]
fn without_a_fog_mode_the_specular_alpha_is_the_factor() {
    let Some(mut d) = unculled(4) else { return };
    d.set_render_state(D3DRS_FOGENABLE, 1).unwrap();
    d.set_render_state(D3DRS_FOGCOLOR, 0x00FF_0000).unwrap();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR)
        .unwrap();
    let v: Vec<u8> = [(-1.0, -1.0), (4.0, -1.0), (-1.0, 4.0), (4.0, 4.0)]
        .into_iter()
        .flat_map(|(x, y)| {
            [
                rhw(x, y, 0.5, 0xFF00_FF00),
                0x4000_0000u32.to_le_bytes().to_vec(),
            ]
            .concat()
        })
        .collect();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 24).unwrap();
    // Factor 0x40 / 0xFF: a quarter of green, three quarters of red.
    assert_near(pixels(&mut d).at(1, 1), 0xBF4000, 1, "a quarter");
}

#[test]
fn blending_uses_separate_alpha_only_when_asked() {
    let Some(mut d) = unculled(4) else { return };
    let t = d
        .create_render_target(4, 4, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    d.set_render_target(0, Some(t)).unwrap();
    d.set_depth_stencil_surface(None).unwrap();
    d.set_render_state(D3DRS_ALPHABLENDENABLE, 1).unwrap();
    d.set_render_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA)
        .unwrap();
    d.set_render_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA)
        .unwrap();
    d.set_render_state(D3DRS_SRCBLENDALPHA, D3DBLEND_ZERO)
        .unwrap();
    d.set_render_state(D3DRS_DESTBLENDALPHA, D3DBLEND_ONE)
        .unwrap();
    for separate in [0, 1] {
        d.set_render_state(D3DRS_SEPARATEALPHABLENDENABLE, separate)
            .unwrap();
        d.clear(&[], D3DCLEAR_TARGET, 0x2000_00FF, 1.0, 0).unwrap();
        draw_quad(&mut d, -1.0, -1.0, 4.0, 4.0, 0.5, 0x80FF_0000);
        let p = Pixels(d.read_surface(t).unwrap());
        assert_near(p.at(1, 1), 0x80007F, 1, "colour");
        // 0x80 * 0x80/0xFF + 0x20 * 0x7F/0xFF = 64.25 + 15.9 = 80, or the destination's 0x20.
        let alpha = if separate == 1 { 0x20 } else { 80 };
        assert!(
            p.alpha(1, 1).abs_diff(alpha) <= 1,
            "alpha {} with separate {separate}",
            p.alpha(1, 1)
        );
    }
}

fn assemble(text: &str) -> Vec<u32> {
    ninefold_bytecode::assemble(text)
        .expect("assembles")
        .tokens()
        .to_vec()
}

#[test]
fn shaders_read_their_constants() {
    let Some(mut d) = unculled(4) else { return };
    let vs = d
        .create_vertex_shader(&assemble(
            "vs_1_1\n dcl_position v0\n add oPos, v0, c3\n mov oD0, c4\n",
        ))
        .unwrap();
    let ps = d
        .create_pixel_shader(&assemble(
            "ps_2_0\n dcl v0\n mul r0, v0, c1\n mov oC0, r0\n",
        ))
        .unwrap();
    d.set_vertex_shader(Some(vs)).unwrap();
    d.set_pixel_shader(Some(ps)).unwrap();
    d.set_vertex_shader_constant_f(3, &[[0.0, 0.0, 0.5, 0.0], [1.0, 0.5, 1.0, 1.0]])
        .unwrap();
    d.set_pixel_shader_constant_f(1, &[[1.0, 1.0, 0.25, 1.0]])
        .unwrap();
    let position = [VertexElement::new(
        0,
        0,
        D3DDECLTYPE_FLOAT3,
        D3DDECLUSAGE_POSITION,
        0,
    )];
    let decl = d.create_vertex_declaration(&position).unwrap();
    d.set_vertex_declaration(Some(decl)).unwrap();
    let v = bytes(&[
        -2.0, 2.0, 0.0, 2.0, 2.0, 0.0, -2.0, -2.0, 0.0, 2.0, -2.0, 0.0,
    ]);
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 12).unwrap();
    assert_near(pixels(&mut d).at(1, 1), 0xFF8040, 1, "diffuse times c1");
    d.set_pixel_shader_constant_f(1, &[[0.0, 1.0, 1.0, 1.0]])
        .unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 12).unwrap();
    assert_near(
        pixels(&mut d).at(1, 1),
        0x0080FF,
        1,
        "after the constant changed",
    );
    // Back to the fixed function: the vertex shader's output through the stages.
    d.set_pixel_shader(None).unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 12).unwrap();
    assert_near(
        pixels(&mut d).at(1, 1),
        0xFF80FF,
        1,
        "the cascade passes diffuse on",
    );
    for h in [vs.into(), ps.into(), decl.into()] {
        let h: ObjectHandle = h;
        d.release(h).unwrap();
    }
}

#[test]
fn occlusion_queries_count_the_pixels_that_pass() {
    let Some(mut d) = unculled(8) else { return };
    let q = d.create_query(D3DQUERYTYPE_OCCLUSION).unwrap();
    let ask = |d: &mut Device| loop {
        if let Some(QueryData::Occlusion(n)) = d.query_get_data(q, D3DGETDATA_FLUSH).unwrap() {
            return n;
        }
    };
    d.query_issue(q, D3DISSUE_BEGIN).unwrap();
    draw_quad(&mut d, 0.5, 0.5, 4.5, 3.5, 0.5, 0xFFFF_FFFF);
    d.query_issue(q, D3DISSUE_END).unwrap();
    assert_eq!(ask(&mut d), 12);
    d.query_issue(q, D3DISSUE_BEGIN).unwrap();
    assert_eq!(d.query_get_data(q, 0).unwrap(), None, "still counting");
    draw_quad(&mut d, 0.5, 0.5, 6.5, 3.5, 0.75, 0xFFFF_FFFF);
    d.query_issue(q, D3DISSUE_END).unwrap();
    assert_eq!(ask(&mut d), 6, "twelve of eighteen are behind");
    d.query_issue(q, D3DISSUE_END).unwrap();
    assert_eq!(ask(&mut d), 6, "the answer stays until it begins again");
    let e = d.create_query(D3DQUERYTYPE_EVENT).unwrap();
    assert_eq!(d.query_get_data(e, 0), Ok(Some(QueryData::Unissued)));
    assert_eq!(d.query_issue(e, D3DISSUE_BEGIN), Ok(()));
    assert_eq!(d.query_get_data(e, 0), Ok(None), "it has begun");
    d.query_issue(e, D3DISSUE_END).unwrap();
    assert_eq!(
        d.query_get_data(e, D3DGETDATA_FLUSH).unwrap(),
        Some(QueryData::Event(true))
    );
}

#[test]
fn a_missing_coordinate_set_is_not_divided_by_its_zero() {
    let Some(mut d) = unculled(4) else { return };
    let ps = d
        .create_pixel_shader(&assemble("ps_1_1\n tex t0\n mov r0, t0\n"))
        .unwrap();
    d.set_pixel_shader(Some(ps)).unwrap();
    d.set_texture_stage_state(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_PROJECTED)
        .unwrap();
    // Set 1, which the vertices lack: (0, 0, 0, 0), and no texture: opaque black.
    d.set_texture_stage_state(0, D3DTSS_TEXCOORDINDEX, 1)
        .unwrap();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
        .unwrap();
    d.clear(&[], D3DCLEAR_TARGET, 0xFFFF_FFFF, 1.0, 0).unwrap();
    let v = textured_quad(-0.5, -0.5, 3.5, 3.5, 0xFFFF_FFFF);
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 28).unwrap();
    assert_eq!(pixels(&mut d).count(0), 16);
}

#[test]
fn user_clip_planes_are_in_world_space() {
    let Some(mut d) = unculled(8) else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_clip_plane(0, [1.0, 0.0, 0.0, -1.0]).unwrap();
    d.set_render_state(D3DRS_CLIPPLANEENABLE, 1).unwrap();
    let half = [
        [0.5, 0.0, 0.0, 0.0],
        [0.0, 0.5, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    d.set_transform(D3DTS_PROJECTION, &half).unwrap();
    draw_facing(&mut d, [0.0, 0.0, -1.0]);
    // World x >= 1 is clip x >= 0.5: pixel 6 and on.
    assert_eq!(pixels(&mut d).bounds(0xFFFFFF), Some((6, 0, 8, 8)));
}

#[test]
fn texture_matrices_move_the_coordinates_of_their_stage() {
    let Some(mut d) = unculled(4) else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    let t = d
        .create_texture(2, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    let texels = [0xFFFF_0000u32.to_le_bytes(), 0xFF00_00FFu32.to_le_bytes()].concat();
    fill(&mut d, (t, 0), 8, &texels);
    d.set_texture(0, Some(t.into())).unwrap();
    d.set_fvf(D3DFVF_XYZ | D3DFVF_TEX1).unwrap();
    // u = 0.25 everywhere: the left texel. The third row moves by 0.5, as the third of the two
    // coordinates counts as 1.
    let v: Vec<u8> = [(-2.0, 2.0), (2.0, 2.0), (-2.0, -2.0), (2.0, -2.0)]
        .into_iter()
        .flat_map(|(x, y)| bytes(&[x, y, 0.5, 0.25, 0.5]))
        .collect();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 20).unwrap();
    assert_eq!(pixels(&mut d).at(1, 1), 0xFF0000);
    let mut m = IDENTITY;
    m[2][0] = 0.5;
    d.set_transform(D3DTS_TEXTURE0, &m).unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 20).unwrap();
    assert_eq!(
        pixels(&mut d).at(1, 1),
        0xFF0000,
        "off until its flags are set"
    );
    d.set_texture_stage_state(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2)
        .unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 20).unwrap();
    assert_eq!(pixels(&mut d).at(1, 1), 0x0000FF);
}

#[test]
fn border_colours_are_exact() {
    let Some(mut d) = unculled(4) else { return };
    let t = d
        .create_texture(1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (t, 0), 4, &0xFFFF_0000u32.to_le_bytes());
    d.set_texture(0, Some(t.into())).unwrap();
    d.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1)
        .unwrap();
    d.set_sampler_state(0, D3DSAMP_ADDRESSU, D3DTADDRESS_BORDER)
        .unwrap();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_TEX1).unwrap();
    // u runs from -1 to 1: the left half is outside.
    let v: Vec<u8> = [
        (-0.5, -0.5, -1.0),
        (3.5, -0.5, 1.0),
        (-0.5, 3.5, -1.0),
        (3.5, 3.5, 1.0),
    ]
    .into_iter()
    .flat_map(|(x, y, u)| bytes(&[x, y, 0.5, 1.0, u, 0.5]))
    .collect();
    for (border, seen) in [
        (0xFFFF_FFFF, 0xFFFFFF),
        (0xFF00_0000, 0),
        (0xFFF0_E0D0, 0xF0E0D0),
        (0xFF10_2030, 0x102030),
    ] {
        d.set_sampler_state(0, D3DSAMP_BORDERCOLOR, border).unwrap();
        d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 24).unwrap();
        let p = pixels(&mut d);
        assert_eq!((p.at(0, 1), p.at(3, 1)), (seen, 0xFF0000), "{border:#X}");
    }
}
