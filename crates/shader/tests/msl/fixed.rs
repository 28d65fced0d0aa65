//! Functions of the fixed function as MSL, against values worked by hand.

use ninefold_shader::abi::{self, PixelExtras};
use ninefold_shader::fixed::{
    self, FragmentKey, FragmentStage, IDENTITY, Light, Material, VertexBlock, VertexKey,
    fragment_fog, input, op, point, stage_texture, vertex_flag,
};

use super::*;

/// A function, what it is given, and what must come out; `None` where the pixel must be killed.
struct Fixed {
    name: &'static str,
    translation: Translation,
    request: Request,
    expected: Option<Vec<(Output, [f32; 4])>>,
}

#[derive(Clone, Copy, Debug)]
enum Output {
    Value(usize),
    Position,
    PointSize,
}

const DIFFUSE: [f32; 4] = [0.5, 0.25, 1.0, 0.75];
const SPECULAR: [f32; 4] = [0.25, 0.5, 0.125, 0.0];

/// Operation, first and second argument of colour and alpha.
fn stage(color: [u8; 3], alpha: [u8; 3], texture: u8) -> FragmentStage {
    let [color_op, color_1, color_2] = color;
    let [alpha_op, alpha_1, alpha_2] = alpha;
    FragmentStage {
        color_op,
        color_args: [op::arg::CURRENT, color_1, color_2],
        alpha_op,
        alpha_args: [op::arg::CURRENT, alpha_1, alpha_2],
        result: op::arg::CURRENT,
        texture,
        ..FragmentStage::default()
    }
}

fn fragment(
    name: &'static str,
    stages: &[FragmentStage],
    change: impl FnOnce(&mut FragmentKey, &mut PixelExtras, &mut Request),
    expected: Option<[f32; 4]>,
) -> Fixed {
    let mut key = FragmentKey::default();
    key.stages[..stages.len()].copy_from_slice(stages);
    let mut extras = PixelExtras::zeroed();
    extras.texture_factor = [1.0, 0.5, 0.5, 0.25];
    let mut request = Request::zeroed();
    request.position = [0.5, 0.5, 0.5, 1.0];
    request.values[abi::COLOR_LOCATION as usize] = DIFFUSE;
    request.values[abi::COLOR_LOCATION as usize + 1] = SPECULAR;
    change(&mut key, &mut extras, &mut request);
    let bytes = bytemuck::bytes_of(&extras);
    bytemuck::cast_slice_mut::<_, u8>(&mut request.extras)[..bytes.len()].copy_from_slice(bytes);
    Fixed {
        name,
        translation: fixed::fragment(&key).expect("a supported key"),
        request,
        expected: expected.map(|color| vec![(Output::Value(0), color)]),
    }
}

/// What the pictures of the cases hold at the middle of texel (`x`, `y`) of 16 is (`x`, `y`, 0, 1).
fn at(x: f32, y: f32) -> [f32; 4] {
    [(x + 0.5) / 16.0, (y + 0.5) / 16.0, 0.0, 1.0]
}

fn fragments() -> Vec<Fixed> {
    use op::arg;
    let coordinate = |set: usize| abi::TEXCOORD_LOCATION as usize + set;
    let diffuse = stage(
        [op::SELECTARG1, arg::DIFFUSE, arg::CURRENT],
        [op::SELECTARG1, arg::DIFFUSE, arg::CURRENT],
        stage_texture::NONE,
    );
    let modulate = stage(
        [op::MODULATE, arg::TEXTURE, arg::CURRENT],
        [op::MODULATE, arg::TEXTURE, arg::CURRENT],
        stage_texture::D2,
    );
    vec![
        fragment(
            "texture times diffuse",
            &[modulate],
            |_, _, request| {
                request.pictures[0] = 1;
                request.values[coordinate(0)] = at(1.0, 0.0);
            },
            Some([0.5, 0.0, 0.0, 0.75]),
        ),
        fragment(
            "the texture of the third stage lies in the second slot",
            &[
                stage(
                    [op::SELECTARG1, arg::TEXTURE, arg::CURRENT],
                    [op::SELECTARG1, arg::DIFFUSE, arg::CURRENT],
                    stage_texture::D2,
                ),
                stage(
                    [op::ADD, arg::DIFFUSE, arg::CURRENT],
                    [op::SELECTARG2, arg::DIFFUSE, arg::CURRENT],
                    stage_texture::NONE,
                ),
                modulate,
            ],
            |_, _, request| {
                // The first is unbound: black.
                request.pictures[2] = 1;
                request.values[coordinate(0)] = at(7.0, 7.0);
                request.values[coordinate(2)] = at(0.0, 1.0);
            },
            Some([0.0, 0.25, 0.0, 0.75]),
        ),
        fragment(
            "the factor and the diffuse colour as vectors",
            &[stage(
                [op::DOTPRODUCT3, arg::FACTOR, arg::DIFFUSE],
                [op::SELECTARG1, arg::DIFFUSE, arg::CURRENT],
                stage_texture::NONE,
            )],
            // 4 * (0.5 * 0.25 + 0 + 0), in alpha too.
            |_, _, request| request.values[0] = [0.75, 0.125, 0.875, 1.0],
            Some([0.5; 4]),
        ),
        fragment(
            "diffuse plus specular less a half, clamped",
            &[stage(
                [op::ADDSIGNED, arg::DIFFUSE, arg::SPECULAR],
                [op::SUBTRACT, arg::DIFFUSE, arg::FACTOR],
                stage_texture::NONE,
            )],
            |_, _, _| (),
            Some([0.25, 0.25, 0.625, 0.5]),
        ),
        fragment(
            "blended by the factor's alpha",
            &[stage(
                [op::BLENDFACTORALPHA, arg::DIFFUSE, arg::SPECULAR],
                [op::SELECTARG2, arg::DIFFUSE, arg::FACTOR],
                stage_texture::NONE,
            )],
            |_, _, _| (),
            // A quarter of the first, three of the second.
            Some([0.3125, 0.4375, 0.34375, 0.25]),
        ),
        fragment(
            "an alpha that is not greater",
            &[diffuse],
            |key, extras, _| {
                key.alpha_func = 5;
                extras.alpha_ref[0] = 0.75;
            },
            None,
        ),
        fragment(
            "an alpha that is greater",
            &[diffuse],
            |key, extras, _| {
                key.alpha_func = 5;
                extras.alpha_ref[0] = 0.5;
            },
            Some(DIFFUSE),
        ),
        fragment(
            "a quarter of the colour in the fog of the vertices",
            &[diffuse],
            |key, extras, request| {
                key.fog = fragment_fog::VERTEX;
                extras.fog_color = [0.5, 1.0, 0.0, 0.0];
                request.values[abi::FOG_LOCATION as usize] = [0.25; 4];
            },
            Some([0.5, 0.8125, 0.25, 0.75]),
        ),
    ]
}

fn vertex(
    name: &'static str,
    key: &VertexKey,
    block: &VertexBlock,
    attributes: &[[f32; 4]],
    expected: Vec<(Output, [f32; 4])>,
) -> Fixed {
    let translation = fixed::vertex(key).expect("a supported key");
    let mut request = Request::zeroed();
    let rows = translation.reflection.window_rows();
    let reflection = &translation.reflection;
    reflection.pack_floats(block.rows(), &mut request.constants[..rows]);
    request.values[..attributes.len()].copy_from_slice(attributes);
    Fixed {
        name,
        translation,
        request,
        expected: Some(expected),
    }
}

fn vertices() -> Vec<Fixed> {
    let mut moved = IDENTITY;
    moved[3] = [1.0, 2.0, 3.0, 1.0];
    // z is halved and becomes w.
    let projection = [
        [2.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.5, 1.0],
        [0.0; 4],
    ];
    let mut block = VertexBlock::new();
    block.set_transforms(&moved, &IDENTITY, &projection);
    let position = [1.0, 1.0, 1.0, 1.0];
    let coloured = VertexKey {
        inputs: input::DIFFUSE,
        ..VertexKey::default()
    };
    let mut lit = VertexKey {
        inputs: input::NORMAL,
        flags: vertex_flag::LIGHTING,
        ..VertexKey::default()
    };
    let mut lights = VertexBlock::new();
    lights.set_transforms(&IDENTITY, &IDENTITY, &IDENTITY);
    lights.set_material(&Material {
        diffuse: [0.5, 0.5, 1.0, 0.75],
        emissive: [0.125, 0.0, 0.0, 0.0],
        ..Material::default()
    });
    let light = Light {
        ty: 3,
        diffuse: [1.0, 0.5, 0.25, 1.0],
        direction: [0.0, 3.0, 4.0],
        ..Light::default()
    };
    lit.light_types = lights.set_lights(&IDENTITY, [light].iter());
    let points = VertexKey {
        points: point::SIZE,
        ..VertexKey::default()
    };
    let mut sized = VertexBlock::new();
    sized.set_transforms(&IDENTITY, &IDENTITY, &IDENTITY);
    sized.set_points(8.0, [1.0, 64.0], [1.0, 0.0, 0.0], 100.0);
    vec![
        vertex(
            "world, view and projection",
            &coloured,
            &block,
            &[position, DIFFUSE],
            vec![
                (Output::Position, [4.0, 3.0, 2.0, 4.0]),
                (Output::Value(0), DIFFUSE),
            ],
        ),
        vertex(
            "a directional light at a cosine of 0.8",
            &lit,
            &lights,
            &[[0.0, 0.0, 0.5, 1.0], [0.0, 0.0, -1.0, 0.0]],
            vec![(Output::Value(0), [0.4 + 0.125, 0.2, 0.2, 0.75])],
        ),
        vertex(
            "points have the size that is set",
            &points,
            &sized,
            &[position],
            vec![(Output::PointSize, [8.0, 0.0, 0.0, 0.0])],
        ),
    ]
}

#[test]
fn the_fixed_function_gives_what_it_should_as_msl() {
    if !common::has_tools() {
        return;
    }
    for (reader, program) in [
        (Reader::Tools, "fixed-tools"),
        (Reader::Driver, "fixed-driver"),
    ] {
        let all = fragments().into_iter().chain(vertices());
        let mut functions = Vec::new();
        let mut wanted = Vec::new();
        for (n, one) in (0..).zip(all) {
            let mut request = one.request;
            request.function = n;
            functions.push(written(one.name, one.translation, reader).expect("it is written"));
            wanted.push((request, one.expected));
        }
        let program = compile(&functions.iter().collect::<Vec<_>>(), program)
            .unwrap_or_else(|message| panic!("{message}"));
        let answers = answers(&program, wanted.iter().map(|(request, _)| *request));
        let answers = answers.expect("it answers");
        for ((function, (_, expected)), answer) in functions.iter().zip(&wanted).zip(&answers) {
            let name = &function.name;
            assert_eq!(answer.killed != 0, expected.is_none(), "{name}");
            for (output, want) in expected.iter().flatten() {
                let got = match *output {
                    Output::Value(n) => answer.values[n],
                    Output::Position => answer.position,
                    Output::PointSize => answer.point_size,
                };
                let close = got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-5);
                let components = match output {
                    Output::PointSize => (got[0] - want[0]).abs() < 1e-5,
                    _ => close,
                };
                assert!(
                    components,
                    "{name}: {output:?} is {got:?}, not {want:?}\n{}",
                    function.msl
                );
            }
        }
    }
}
