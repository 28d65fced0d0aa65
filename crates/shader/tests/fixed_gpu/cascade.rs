//! The texture-stage cascade on the GPU against its equations, worked here
//! from the operation table apart from the generator.

use crate::rig::{Attribute, Draw, Rig, Shader, pixel_extras};
use ninefold_shader::SamplerKind;
use ninefold_shader::abi::PixelExtras;
use ninefold_shader::fixed::{
    self, FragmentKey, FragmentStage, fragment_flag, fragment_fog, op, stage_texture,
};

const DIFFUSE: [u8; 4] = [200, 90, 30, 120];
const SPECULAR: [u8; 4] = [15, 60, 220, 77];
const FACTOR: [u8; 4] = [140, 250, 5, 180];
const CONSTANT: [u8; 4] = [33, 133, 233, 66];
const TEXELS: [[u8; 4]; 2] = [[100, 180, 240, 50], [210, 40, 130, 190]];

type Color = [f64; 4];

fn unit(bytes: [u8; 4]) -> Color {
    bytes.map(|b| f64::from(b) / 255.0)
}

/// A vertex function that covers the pixel and hands its attributes on as
/// varyings: `COLOR0`, `COLOR1`, `TEXCOORD0`, `TEXCOORD1`, fog.
const VERTEX: &str = "
struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) diffuse: vec4<f32>,
    @location(1) specular: vec4<f32>,
    @location(2) t0: vec4<f32>,
    @location(3) t1: vec4<f32>,
    @location(10) fog: vec4<f32>,
}
@vertex fn main(
    @builtin(vertex_index) n: u32,
    @location(0) diffuse: vec4<f32>,
    @location(1) specular: vec4<f32>,
    @location(2) t0: vec4<f32>,
    @location(3) t1: vec4<f32>,
    @location(4) fog: vec4<f32>,
) -> Varyings {
    let corner = vec2<f32>(f32(n & 1u) * 4.0 - 1.0, f32(n >> 1u) * 4.0 - 1.0);
    return Varyings(vec4(corner, 0.25, 1.0), diffuse, specular, t0, t1, fog);
}";

struct Scene {
    key: FragmentKey,
    extras: PixelExtras,
    coordinates: [[f32; 4]; 2],
    fog: f32,
    kinds: [SamplerKind; 2],
}

impl Scene {
    fn new(stages: &[FragmentStage]) -> Self {
        let mut key = FragmentKey::default();
        key.stages[..stages.len()].copy_from_slice(stages);
        let mut extras = pixel_extras();
        extras.texture_factor = unit(FACTOR).map(|v| v as f32);
        extras.stage_constants = [unit(CONSTANT).map(|v| v as f32); 8];
        Self {
            key,
            extras,
            coordinates: [[0.5, 0.5, 0.5, 1.0]; 2],
            fog: 1.0,
            kinds: [SamplerKind::D2; 2],
        }
    }

    fn draw(&self, rig: &Rig) -> [u8; 4] {
        self.draw_picture(rig, None)
    }

    fn draw_picture(&self, rig: &Rig, picture: Option<(u32, &[[u8; 4]])>) -> [u8; 4] {
        let function = fixed::fragment(&self.key).expect("a supported key");
        let color = |c: [u8; 4]| Attribute::from(unit(c).map(|v| v as f32));
        let textures: Vec<_> = function
            .reflection
            .samplers
            .iter()
            .map(|s| {
                let n = usize::from(s.register);
                assert_eq!(s.kind, self.kinds[n]);
                (u32::from(s.register), s.kind, TEXELS[n])
            })
            .collect();
        rig.pixel(Draw {
            vertex: Shader::wgsl(VERTEX),
            fragment: Shader::from(&function),
            attributes: &[
                color(DIFFUSE),
                color(SPECULAR),
                self.coordinates[0].into(),
                self.coordinates[1].into(),
                [self.fog; 4].into(),
            ],
            vertex_constants: &[],
            vertex_extras: bytemuck::Zeroable::zeroed(),
            pixel_extras: self.extras,
            textures: &textures,
            picture,
        })
    }
}

/// The colour an argument names, with its modifiers.
fn argument(code: u8, current: Color, texel: Color, temporary: Color) -> Color {
    let mut value = match code & 15 {
        0 => unit(DIFFUSE),
        1 => current,
        2 => texel,
        3 => unit(FACTOR),
        4 => unit(SPECULAR),
        5 => temporary,
        _ => unit(CONSTANT),
    };
    if code & 0x10 != 0 {
        value = value.map(|v| 1.0 - v);
    }
    if code & 0x20 != 0 {
        value = [value[3]; 4];
    }
    value
}

/// The operation table, component by component.
fn equation(code: u8, i: usize, [a0, a1, a2]: [Color; 3], current: Color, texel: Color) -> f64 {
    let lerp = |t: f64| a1[i] * t + a2[i] * (1.0 - t);
    match code {
        2 => a1[i],
        3 => a2[i],
        4 => a1[i] * a2[i],
        5 => a1[i] * a2[i] * 2.0,
        6 => a1[i] * a2[i] * 4.0,
        7 => a1[i] + a2[i],
        8 => a1[i] + a2[i] - 0.5,
        9 => (a1[i] + a2[i] - 0.5) * 2.0,
        10 => a1[i] - a2[i],
        11 => a1[i] + a2[i] * (1.0 - a1[i]),
        12 => lerp(unit(DIFFUSE)[3]),
        13 => lerp(texel[3]),
        14 => lerp(unit(FACTOR)[3]),
        15 => a1[i] + a2[i] * (1.0 - texel[3]),
        16 => lerp(current[3]),
        18 => a1[i] + a1[3] * a2[i],
        19 => a1[i] * a2[i] + a1[3],
        20 => a1[i] + (1.0 - a1[3]) * a2[i],
        21 => (1.0 - a1[i]) * a2[i] + a1[3],
        24 => (0..3)
            .map(|k| (2.0 * a1[k] - 1.0) * (2.0 * a2[k] - 1.0))
            .sum(),
        25 => a0[i] + a1[i] * a2[i],
        26 => a0[i] * a1[i] + (1.0 - a0[i]) * a2[i],
        other => panic!("operation {other}"),
    }
}

fn stage_result(s: &FragmentStage, current: Color, texel: Color, temporary: Color) -> Color {
    let args = |codes: [u8; 3]| codes.map(|c| argument(c, current, texel, temporary));
    let mut out = [0.0; 4];
    for (i, out) in out.iter_mut().enumerate().take(3) {
        *out = equation(s.color_op, i, args(s.color_args), current, texel);
    }
    out[3] = match s.alpha_op {
        _ if s.color_op == 24 => out[0],
        1 => current[3],
        code => equation(code, 3, args(s.alpha_args), current, texel),
    };
    out.map(|v| v.clamp(0.0, 1.0))
}

#[track_caller]
fn assert_pixel(got: [u8; 4], want: Color, what: &str) {
    for (g, w) in got.into_iter().zip(want) {
        // Rounding to 8 bits is exact but at the half itself.
        let exact = w.clamp(0.0, 1.0) * 255.0;
        let near = (f64::from(g) - exact).abs();
        assert!(
            near <= 0.5 + 2e-3,
            "{what}: got {got:?}, expected {:?}",
            want.map(|w| w * 255.0)
        );
    }
}

fn stage(color_op: u8, color_args: [u8; 3], alpha_op: u8, alpha_args: [u8; 3]) -> FragmentStage {
    FragmentStage {
        color_op,
        color_args,
        alpha_op,
        alpha_args,
        result: op::arg::CURRENT,
        texture: stage_texture::D2,
        ..FragmentStage::default()
    }
}

#[test]
fn every_operation_equals_its_equation() {
    let Some(rig) = Rig::open() else { return };
    let arguments = [
        [3, 2, 0],
        [0x26, 0x12, 0x03],
        [4, 0x30, 0x22],
        [0x12, 6, 0x11],
    ];
    for code in (2..=26).filter(|c| ![17, 22, 23].contains(c)) {
        for args in arguments {
            let s = stage(code, args, code, [args[2], args[0], args[1]]);
            let got = Scene::new(&[s]).draw(&rig);
            let want = stage_result(&s, unit(DIFFUSE), unit(TEXELS[0]), [0.0; 4]);
            assert_pixel(got, want, &format!("operation {code} of {args:x?}"));
        }
    }
}

#[test]
fn a_bump_operation_on_alpha_passes_the_current_alpha() {
    let Some(rig) = Rig::open() else { return };
    for code in [22, 23] {
        let got = Scene::new(&[stage(2, [0, 2, 0], code, [0, 2, 2])]).draw(&rig);
        assert_eq!(got, [100, 180, 240, DIFFUSE[3]]);
    }
}

/// `D3DTOP_PREMODULATE`: "modulate this texture stage with the next texture stage".
#[test]
fn premodulate_multiplies_by_the_next_stages_texture() {
    let Some(rig) = Rig::open() else { return };
    let [d, f, t1] = [unit(DIFFUSE), unit(FACTOR), unit(TEXELS[1])];
    let first = stage(17, [0, 0, 0], 17, [0, 3, 0]);
    // The next stage reads its texture not at all, or as well.
    let pass = stage(2, [0, 1, 0], 2, [0, 1, 0]);
    let got = Scene::new(&[first, pass]).draw(&rig);
    let want = [d[0] * t1[0], d[1] * t1[1], d[2] * t1[2], f[3] * t1[3]];
    assert_pixel(got, want, "then the current colour");
    let add = stage(7, [0, 1, 2], 2, [0, 1, 0]);
    let got = Scene::new(&[first, add]).draw(&rig);
    let sum = [0, 1, 2].map(|i| want[i] + t1[i]);
    assert_pixel(got, [sum[0], sum[1], sum[2], want[3]], "then an addition");
    // With nothing after it there is nothing to multiply by.
    let got = Scene::new(&[first]).draw(&rig);
    assert_pixel(got, [d[0], d[1], d[2], f[3]], "alone");
}

#[test]
fn stages_chain_and_clamp() {
    let Some(rig) = Rig::open() else { return };
    // Red of stage 0 is 200 + 100: unclamped, stage 1 would leave 90.
    let first = stage(7, [0, 2, 0], 7, [0, 2, 0]);
    let second = stage(10, [0, 1, 2], 4, [0, 1, 2]);
    let got = Scene::new(&[first, second]).draw(&rig);
    let middle = stage_result(&first, unit(DIFFUSE), unit(TEXELS[0]), [0.0; 4]);
    let want = stage_result(&second, middle, unit(TEXELS[1]), [0.0; 4]);
    assert_eq!(got[0], 45);
    assert_pixel(got, want, "two stages");
}

#[test]
fn the_temporary_register_holds_a_result_and_starts_at_zero() {
    let Some(rig) = Rig::open() else { return };
    let read = stage(7, [0, 5, 3], 2, [0, 5, 0]);
    let got = Scene::new(&[read]).draw(&rig);
    let factor = unit(FACTOR);
    assert_pixel(
        got,
        [factor[0], factor[1], factor[2], 0.0],
        "temporary at the start",
    );
    let mut write = stage(4, [0, 2, 3], 2, [0, 3, 0]);
    write.result = op::arg::TEMP;
    let got = Scene::new(&[write, stage(7, [0, 5, 1], 4, [0, 5, 1])]).draw(&rig);
    let temporary = stage_result(&write, unit(DIFFUSE), unit(TEXELS[0]), [0.0; 4]);
    let d = unit(DIFFUSE);
    let want = [0, 1, 2, 3].map(|i| {
        if i < 3 {
            temporary[i] + d[i]
        } else {
            temporary[i] * d[i]
        }
    });
    assert_pixel(got, want, "temporary written");
}

#[test]
fn a_disabled_alpha_operation_passes_the_current_alpha() {
    let Some(rig) = Rig::open() else { return };
    let got = Scene::new(&[stage(2, [0, 2, 0], 1, [0, 2, 2])]).draw(&rig);
    assert_eq!(got, [100, 180, 240, DIFFUSE[3]]);
}

#[test]
fn no_stage_at_all_is_the_diffuse_colour() {
    let Some(rig) = Rig::open() else { return };
    assert_eq!(Scene::new(&[]).draw(&rig), DIFFUSE);
    let mut scene = Scene::new(&[]);
    scene.key.missing_inputs = 1;
    assert_eq!(scene.draw(&rig), [255; 4]);
}

#[test]
fn specular_is_added_after_the_cascade_and_before_fog() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::new(&[stage(2, [0, 2, 0], 2, [0, 2, 0])]);
    scene.key.flags = fragment_flag::SPECULAR_ADD;
    assert_eq!(scene.draw(&rig), [115, 240, 255, 50]);
    scene.key.fog = fragment_fog::VERTEX;
    scene.fog = 0.25;
    scene.extras.fog_color = [51, 100, 153, 255].map(|c| c as f32 / 255.0);
    // A quarter of the sum (115, 240, 460), which is not clamped before the fog, and three quarters
    // of (51, 100, 153).
    assert_eq!(scene.draw(&rig), [67, 135, 230, 50]);
}

#[test]
fn table_fog_follows_its_three_curves() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::new(&[]);
    scene.extras.fog_color = [0.0, 0.0, 0.0, 0.0];
    scene.extras.fog = [0.0, 0.5, 1.0 / 0.5, 3.0];
    // The vertex function puts the pixel at z = 0.25 and w = 1.
    for (mode, factor) in [
        (fragment_fog::EXP_Z, (-0.75f64).exp()),
        (fragment_fog::EXP2_Z, (-0.5625f64).exp()),
        (fragment_fog::LINEAR_Z, 0.5),
        (fragment_fog::EXP_W, (-3.0f64).exp()),
        (fragment_fog::EXP2_W, (-9.0f64).exp()),
        (fragment_fog::LINEAR_W, 0.0),
    ] {
        scene.key.fog = mode;
        let d = unit(DIFFUSE);
        let want = [d[0] * factor, d[1] * factor, d[2] * factor, d[3]];
        assert_pixel(scene.draw(&rig), want, &format!("fog {mode}"));
    }
}

#[test]
fn the_alpha_test_has_eight_functions() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::new(&[]);
    let alpha = DIFFUSE[3];
    for reference in [alpha - 1, alpha, alpha + 1] {
        scene.extras.alpha_ref = [f32::from(reference) / 255.0, 0.0, 0.0, 0.0];
        for func in 1..=8 {
            scene.key.alpha_func = func;
            let passes = match func {
                1 => false,
                2 => alpha < reference,
                3 => alpha == reference,
                4 => alpha <= reference,
                5 => alpha > reference,
                6 => alpha != reference,
                7 => alpha >= reference,
                _ => true,
            };
            let want = if passes { DIFFUSE } else { [1, 2, 3, 4] };
            assert_eq!(
                scene.draw(&rig),
                want,
                "function {func}, reference {reference}"
            );
        }
    }
}

#[test]
fn the_alpha_test_compares_eight_bits() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::new(&[stage(3, [0, 2, 3], 2, [0, 2, 0])]);
    scene.key.alpha_func = 3;
    for alpha in [0u8, 1, 51, 83, 127, 128, 190, 254, 255] {
        scene.extras.alpha_ref = [f32::from(alpha) / 255.0, 0.0, 0.0, 0.0];
        let got = scene.draw_picture(&rig, Some((0, &[[9, 9, 9, alpha]])));
        assert_eq!(got, [FACTOR[0], FACTOR[1], FACTOR[2], alpha]);
    }
    // The factor's alpha as a fraction of a step above 0.
    scene.key.stages[0].alpha_args[1] = 3;
    scene.key.alpha_func = 5;
    scene.extras.alpha_ref = [0.0; 4];
    scene.extras.texture_factor[3] = 0.4 / 255.0;
    assert_eq!(scene.draw(&rig), [1, 2, 3, 4]);
    scene.extras.texture_factor[3] = 0.6 / 255.0;
    assert_eq!(scene.draw(&rig)[3], 1);
}

#[test]
fn cube_and_volume_textures_are_sampled() {
    let Some(rig) = Rig::open() else { return };
    let mut stages = [
        stage(2, [0, 2, 0], 2, [0, 2, 0]),
        stage(7, [0, 1, 2], 7, [0, 1, 2]),
    ];
    stages[0].texture = stage_texture::CUBE;
    stages[1].texture = stage_texture::VOLUME;
    let mut scene = Scene::new(&stages);
    scene.kinds = [SamplerKind::Cube, SamplerKind::Volume];
    assert_eq!(scene.draw(&rig), [255, 220, 255, 240]);
}

const STRIPES: [[u8; 4]; 4] = [
    [10, 0, 0, 255],
    [20, 0, 0, 255],
    [30, 0, 0, 255],
    [40, 0, 0, 255],
];

#[test]
fn projection_divides_by_the_named_component() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::new(&[stage(2, [0, 2, 0], 1, [0; 3])]);
    // 0.75 / 2 = 0.375 is texel 1 of 4, 0.75 / 0.8 is texel 3.
    scene.coordinates[0] = [0.75, 0.5, 2.0, 0.8];
    for (projected, want) in [(0, 40), (3, 20), (4, 40)] {
        scene.key.stages[0].projected = projected;
        assert_eq!(
            scene.draw_picture(&rig, Some((0, &STRIPES)))[0],
            want,
            "divisor {projected}"
        );
    }
    scene.coordinates[0] = [0.75, 2.0, 1.0, 1.0];
    scene.key.stages[0].projected = 2;
    assert_eq!(scene.draw_picture(&rig, Some((0, &STRIPES)))[0], 20);
    assert_eq!(FragmentStage::projection(0x103), 3);
    assert_eq!(FragmentStage::projection(0x100), 4);
    assert_eq!(FragmentStage::projection(0x3), 0);
}

#[test]
fn a_missing_texture_passes_alpha_on_and_ends_the_cascade() {
    let Some(rig) = Rig::open() else { return };
    let mut s = stage(7, [0, 3, 4], 2, [0, 2, 0]);
    s.texture = stage_texture::NONE;
    let want = [0, 1, 2].map(|i| (unit(FACTOR)[i] + unit(SPECULAR)[i]).min(1.0));
    // "If no texture is set for this stage, the default argument is D3DTA_DIFFUSE."
    let mut scene = Scene::new(&[s]);
    let alpha = unit(DIFFUSE)[3];
    let got = scene.draw(&rig);
    assert_pixel(got, [want[0], want[1], want[2], alpha], "alpha of nothing");
    scene.key.flags = fragment_flag::NULL_READS_BLACK;
    let got = scene.draw(&rig);
    assert_pixel(got, [want[0], want[1], want[2], 1.0], "opaque black");
    // The colour operation reads it: the cascade ends before the stage.
    s.color_args[1] = 2;
    assert_eq!(Scene::new(&[s]).draw(&rig), DIFFUSE);
}

#[test]
fn a_bump_stage_moves_the_next_lookup_and_keeps_the_colour() {
    let Some(rig) = Rig::open() else { return };
    let bump = stage(22, [0, 2, 1], 1, [0; 3]);
    let mut lit = stage(23, [0, 2, 1], 1, [0; 3]);
    let next = stage(2, [0, 2, 0], 2, [0, 1, 0]);
    // The bump texel is (100, 180, 240)/255; the second texture has one colour,
    // so only luminance shows: 240/255 * 0.5 + 0.25.
    let got = Scene::new(&[bump, next]).draw(&rig);
    assert_eq!(got, [TEXELS[1][0], TEXELS[1][1], TEXELS[1][2], DIFFUSE[3]]);
    lit.alpha_op = 1;
    let mut scene = Scene::new(&[lit, next]);
    scene.extras.bump_luminance[0] = [0.5, 0.25, 0.0, 0.0];
    let l = 240.0 / 255.0 * 0.5 + 0.25;
    let t = unit(TEXELS[1]);
    let want = [t[0] * l, t[1] * l, t[2] * l, unit(DIFFUSE)[3]];
    assert_pixel(scene.draw(&rig), want, "luminance");
}

#[test]
fn the_bump_matrix_turns_du_and_dv() {
    let Some(rig) = Rig::open() else { return };
    let bump = stage(22, [0, 2, 1], 1, [0; 3]);
    let mut scene = Scene::new(&[bump, stage(2, [0, 2, 0], 1, [0; 3])]);
    // du = 100/255, dv = 180/255; u' = 0.5 + du * M00 + dv * M10 = 0.87: texel 3.
    scene.extras.bump_matrices[0] = [0.5, -1.0, 0.25, -1.0];
    assert_eq!(scene.draw_picture(&rig, Some((1, &STRIPES)))[0], 40);
    scene.extras.bump_matrices[0] = [0.5, 1.0, -1.0, 1.0];
    assert_eq!(scene.draw_picture(&rig, Some((1, &STRIPES)))[0], 10);
}

#[test]
fn mirror_once_takes_the_sign_of_the_named_coordinates() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::new(&[stage(2, [0, 2, 0], 1, [0; 3])]);
    scene.coordinates[0] = [-0.6, 0.5, 0.0, 1.0];
    assert_eq!(scene.draw_picture(&rig, Some((0, &STRIPES)))[0], 10);
    scene.key.stages[0].sampler.address = 0b110;
    assert_eq!(scene.draw_picture(&rig, Some((0, &STRIPES)))[0], 10);
    scene.key.stages[0].sampler.address = 0b001;
    assert_eq!(scene.draw_picture(&rig, Some((0, &STRIPES)))[0], 30);
}
