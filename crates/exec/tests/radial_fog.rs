//! Radial fog: shaders and their rewrites run side by side, looking in nine directions.

use glam::DVec3;
use ninefold_bytecode::radial_fog::{self, Mode};
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_exec::{Constants, Machine, NoTextures, Options, Program, VertexInput, VertexOutput};

const EYE: DVec3 = DVec3::new(12.5, -7.25, 3.0);
const NEAR: f64 = 5.0;
const FAR: f64 = 400.0;
const PLANAR: f64 = 1.0 / 250.0;
/// The offset of a fog plane that is laid across the view.
const OFFSET: f64 = 0.75;

const FOG: usize = 1;
const COORDINATES: usize = 5;

/// What the fog plane is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Plane {
    /// A plane of the world.
    World,
    /// None: it lies across the view.
    View,
}

/// A shader with the outputs that fog decides: by c6 and c8, and by c7.
struct Case {
    name: &'static str,
    text: &'static str,
    by_depth: &'static [(usize, usize)],
    by_plane: &'static [(usize, usize)],
    terms: usize,
    plane_terms: usize,
}

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

const CASES: [Case; 5] = [
    Case {
        name: "dp4, density and the blend of both fogs",
        text: "dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n\
               mov oD0, v2\n dp4 r1.x, v0, c6\n dp4 r1.y, v0, c8\n mul r1.xy, r1.xy, c9.xy\n\
               max r1.xy, r1.xy, c9.z\n mul r1.z, r1.x, r1.y\n mov oT0.x, r1.x\n\
               mov oT1.y, r1.z\n add oFog, c9.w, -r1.x\n",
        by_depth: &[(FOG, X), (COORDINATES, X), (COORDINATES + 1, Y)],
        by_plane: &[],
        terms: 2,
        plane_terms: 0,
    },
    Case {
        name: "dp3 and the plane's w",
        text: "mov r3, v0\n dp4 oPos.x, r3, c0\n dp4 oPos.y, r3, c1\n dp4 oPos.z, r3, c2\n\
               dp4 oPos.w, r3, c3\n dp3 r1.w, r3, c6\n add r1.w, r1.w, c6.w\n\
               dp3 r2.xy, v0, c8\n add r2, r2.xyxy, c8.w\n dp3 r4.x, r3, c7\n\
               add r4.x, r4.x, c7.w\n mov oFog, r1.w\n mov oT0.xy, r2.xy\n mov oT1.x, r4.x\n\
               mov oT2, v2\n",
        by_depth: &[(FOG, X), (COORDINATES, X), (COORDINATES, Y)],
        by_plane: &[(COORDINATES + 1, X)],
        terms: 2,
        plane_terms: 1,
    },
    Case {
        name: "straight to oFog",
        text: "dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n\
               dp4 oFog, v0, c6\n mov oD0, v2\n mov oT3, v1\n",
        by_depth: &[(FOG, X)],
        by_plane: &[],
        terms: 1,
        plane_terms: 0,
    },
    Case {
        name: "coordinates of the fog-plane pass",
        text: "mov r0, v0\n dp4 oPos.x, r0, c0\n dp4 oPos.y, r0, c1\n dp4 oPos.z, r0, c2\n\
               dp4 oPos.w, r0, c3\n dp4 oT0.x, r0, c6\n dp4 oT0.y, r0, c8\n dp4 oT1.xyz, r0, c7\n\
               mov oT1.w, c9.w\n mov oD0, v2\n",
        by_depth: &[(COORDINATES, X), (COORDINATES, Y)],
        by_plane: &[
            (COORDINATES + 1, X),
            (COORDINATES + 1, Y),
            (COORDINATES + 1, Z),
        ],
        terms: 2,
        plane_terms: 1,
    },
    Case {
        name: "skinned by a0",
        text: "mov a0.x, v1.x\n dp4 r0.x, v0, c[a0.x + 29]\n dp4 r0.y, v0, c[a0.x + 30]\n\
               dp4 r0.z, v0, c[a0.x + 31]\n mov r0.w, c9.w\n dp4 oPos.x, r0, c0\n\
               dp4 oPos.y, r0, c1\n dp4 oPos.z, r0, c2\n dp4 oPos.w, r0, c3\n\
               dp4 r1.x, r0, c6\n dp4 r1.y, r0, c7\n dp4 r1.z, r0, c8\n mov oFog, r1.x\n\
               mov oT0.xyz, r1.xyz\n mov oD0, v2\n",
        by_depth: &[(FOG, X), (COORDINATES, X), (COORDINATES, Z)],
        by_plane: &[(COORDINATES, Y)],
        terms: 2,
        plane_terms: 1,
    },
];

/// Six around the ring, up, down and one between.
fn bearings() -> Vec<DVec3> {
    let ring = (0..6).map(|n| {
        let yaw = f64::from(n) * std::f64::consts::FRAC_PI_3;
        DVec3::new(yaw.cos(), yaw.sin(), 0.0)
    });
    let others = [
        DVec3::Z,
        DVec3::NEG_Z,
        DVec3::new(0.35, -0.8, 0.49).normalize(),
    ];
    ring.chain(others).collect()
}

/// Where the vertices are, seen from the eye.
fn offsets() -> Vec<DVec3> {
    let mut offsets = Vec::new();
    for direction in bearings().into_iter().chain([
        DVec3::new(1.0, 0.2, 0.95).normalize(),
        DVec3::new(-0.4, 0.7, -0.6).normalize(),
        DVec3::new(0.5, 0.5, 0.707).normalize(),
    ]) {
        for distance in [0.01, 40.0, 170.0, 333.0] {
            offsets.push(direction * distance);
        }
    }
    offsets
}

/// The constants of a view along `forward`; of fog as if it were along `fog`.
fn constants(forward: DVec3, fog: DVec3, plane: Plane) -> Vec<[f32; 4]> {
    let row = |v: DVec3, w: f64| [v.x as f32, v.y as f32, v.z as f32, w as f32];
    let mut c = vec![[0.0f32; 4]; 96];
    let up = if forward.z.abs() > 0.9 {
        DVec3::X
    } else {
        DVec3::Z
    };
    let right = forward.cross(up).normalize();
    let up = right.cross(forward);
    for (i, axis) in [right, up, forward, forward].into_iter().enumerate() {
        c[i] = row(axis, -axis.dot(EYE));
    }
    let s = 1.0 / (FAR - NEAR);
    c[4] = row(EYE, 2.0);
    c[6] = row(fog * s, -s * (NEAR + fog.dot(EYE)));
    c[7] = match plane {
        Plane::World => [0.6, 0.0, 0.8, -2.5],
        Plane::View => row(-fog, fog.dot(EYE) + OFFSET),
    };
    c[8] = row(fog * PLANAR, -PLANAR * fog.dot(EYE));
    c[9] = [0.9, 1.3, 0.001, 1.0];
    // Two bones: nothing and a turn by a right angle with a move.
    c[29] = [1.0, 0.0, 0.0, 0.0];
    c[30] = [0.0, 1.0, 0.0, 0.0];
    c[31] = [0.0, 0.0, 1.0, 0.0];
    c[32] = [0.0, -1.0, 0.0, 3.0];
    c[33] = [1.0, 0.0, 0.0, -2.0];
    c[34] = [0.0, 0.0, 1.0, 0.5];
    c
}

/// The vertex that ends up at `world`, moved by `bone` where the shader has bones.
fn vertex(world: DVec3, bone: usize) -> VertexInput {
    let local = match bone {
        1 => DVec3::new(world.y + 2.0, 3.0 - world.x, world.z - 0.5),
        _ => world,
    };
    let mut input = [[0.0; 4]; 16];
    input[0] = [local.x as f32, local.y as f32, local.z as f32, 1.0];
    input[1] = [bone as f32 * 3.0, 0.25, 0.5, 0.75];
    input[2] = [0.1, 0.2, 0.3, 0.4];
    input
}

struct Shader {
    program: Program,
    machine: Machine,
}

impl Shader {
    fn new(code: &ShaderCode) -> Self {
        Shader {
            program: Program::compile(code, &Options::default()),
            machine: Machine::new(),
        }
    }

    fn run(&mut self, input: &VertexInput, floats: &[[f32; 4]]) -> VertexOutput {
        let constants = Constants {
            floats,
            ..Constants::default()
        };
        self.program
            .run_vertex(&mut self.machine, input, &constants, &mut NoTextures)
            .unwrap()
    }
}

fn code(case: &Case) -> ShaderCode {
    let text = format!(
        "vs_1_1\n dcl_position v0\n dcl_blendindices v1\n dcl_color v2\n {}",
        case.text
    );
    assemble(&text).unwrap_or_else(|error| panic!("{}: {error}", case.name))
}

fn bits(output: &VertexOutput) -> Vec<[u32; 4]> {
    output
        .registers
        .iter()
        .map(|r| r.map(f32::to_bits))
        .collect()
}

/// Runs `check` for each case, mode and kind of fog plane that go together.
fn for_each(mut check: impl FnMut(&Case, Mode, Plane, &mut Shader, &mut Shader)) {
    for case in &CASES {
        let code = code(case);
        for (mode, plane) in [
            (Mode::Depth, Plane::World),
            (Mode::Depth, Plane::View),
            (Mode::ViewPlane, Plane::View),
        ] {
            let radial = radial_fog::rewrite(&code, mode).unwrap();
            let terms = case.terms
                + match mode {
                    Mode::Depth => 0,
                    Mode::ViewPlane => case.plane_terms,
                };
            assert_eq!(radial_fog::scan(&code, mode).unwrap().terms.len(), terms);
            assert_eq!(
                radial.tokens().len(),
                code.tokens().len() + 35 * terms,
                "{}",
                case.name
            );
            let (mut before, mut after) = (Shader::new(&code), Shader::new(&radial));
            check(case, mode, plane, &mut before, &mut after);
        }
    }
}

/// The outputs that the rewrite is to change.
fn changed(case: &Case, mode: Mode) -> Vec<(usize, usize)> {
    let mut changed = case.by_depth.to_vec();
    if mode == Mode::ViewPlane {
        changed.extend(case.by_plane);
    }
    changed
}

/// All else comes out bit for bit, and fog is what it would be with the view turned to the vertex.
#[test]
fn fog_is_that_of_a_view_turned_to_the_vertex() {
    let mut worst = 0.0f32;
    for_each(|case, mode, plane, before, after| {
        let changed = changed(case, mode);
        for offset in offsets() {
            for bone in [0, 1] {
                // Only one shader has bones.
                let bone = if case.text.contains("a0") { bone } else { 0 };
                let input = vertex(EYE + offset, bone);
                for forward in bearings() {
                    let own = constants(forward, forward, plane);
                    let turned = constants(forward, offset.normalize(), plane);
                    let (plain, radial) = (before.run(&input, &own), after.run(&input, &own));
                    let aimed = before.run(&input, &turned);
                    for (register, both) in bits(&plain).iter().zip(bits(&radial)).enumerate() {
                        for component in 0..4 {
                            // oFog is one number.
                            let component_of_output = match register {
                                FOG => X,
                                _ => component,
                            };
                            if !changed.contains(&(register, component_of_output)) {
                                assert_eq!(
                                    both.0[component], both.1[component],
                                    "{}: {register} {component}",
                                    case.name
                                );
                            }
                        }
                    }
                    for &(register, component) in &changed {
                        let (is, should) = (
                            radial.registers[register][component],
                            aimed.registers[register][component],
                        );
                        // The plane across the view is not scaled: its values go to 333.
                        let error = (is - should).abs() / should.abs().max(1.0);
                        worst = worst.max(error);
                        assert!(
                            error < 4e-6,
                            "{} {mode:?} {offset} along {forward}: {is}, not {should}",
                            case.name
                        );
                    }
                }
            }
        }
    });
    println!("worst error {worst:e}");
}

/// What fog alone decides is the same in every direction, where it was not.
#[test]
fn every_direction_agrees() {
    let (mut plain_apart, mut radial_apart) = (f32::MAX, 0.0f32);
    for_each(|case, mode, plane, before, after| {
        for &(register, component) in &changed(case, mode) {
            let mut apart = [0.0f32; 2];
            for offset in offsets() {
                let input = vertex(EYE + offset, 0);
                for (shader, apart) in [&mut *before, &mut *after].into_iter().zip(&mut apart) {
                    let values: Vec<f32> = bearings()
                        .into_iter()
                        .map(|forward| {
                            let floats = constants(forward, forward, plane);
                            shader.run(&input, &floats).registers[register][component]
                        })
                        .collect();
                    let most = values.iter().copied().fold(f32::MIN, f32::max);
                    let least = values.iter().copied().fold(f32::MAX, f32::min);
                    *apart = apart.max((most - least) / most.abs().max(1.0));
                }
            }
            plain_apart = plain_apart.min(apart[0]);
            radial_apart = radial_apart.max(apart[1]);
        }
    });
    println!("directions differ by {plain_apart} before, by {radial_apart:e} at most after");
    assert!(plain_apart > 0.3, "{plain_apart}");
    assert!(radial_apart < 4e-6, "{radial_apart}");
}

/// On the axis of a view depth is distance; at the eye there is neither, and no NaN.
#[test]
fn nothing_changes_on_the_axis_and_at_the_eye() {
    for_each(|case, mode, plane, before, after| {
        for forward in bearings() {
            let floats = constants(forward, forward, plane);
            for distance in [0.5, 25.0, 150.0, 399.0] {
                let input = vertex(EYE + forward * distance, 0);
                let (plain, radial) = (before.run(&input, &floats), after.run(&input, &floats));
                for &(register, component) in &changed(case, mode) {
                    let (was, is) = (
                        plain.registers[register][component],
                        radial.registers[register][component],
                    );
                    let error = (was - is).abs() / was.abs().max(1.0);
                    assert!(
                        error < 4e-6,
                        "{} {forward} {distance}: {was}, {is}",
                        case.name
                    );
                }
            }
            let input = vertex(EYE, 0);
            let (plain, radial) = (before.run(&input, &floats), after.run(&input, &floats));
            assert_eq!(bits(&plain), bits(&radial), "{} {mode:?}", case.name);
        }
    });
}

/// A stream that is cut off is no shader; one with a bit flipped is none, is declined, or is
/// rewritten to one that computes the same where the planes have no direction.
#[test]
fn damaged_streams() {
    let (mut refused, mut declined, mut rewritten) = (0, 0, 0);
    for case in &CASES {
        let code = code(case);
        for length in 0..code.tokens().len() {
            assert!(ShaderCode::parse(&code.tokens()[..length]).is_err());
        }
        for at in 0..code.tokens().len() {
            for bit in 0..32 {
                let mut tokens = code.tokens().to_vec();
                tokens[at] ^= 1 << bit;
                let Ok(damaged) = ShaderCode::parse(&tokens) else {
                    refused += 1;
                    continue;
                };
                for mode in Mode::ALL {
                    let Ok(radial) = radial_fog::rewrite(&damaged, mode) else {
                        declined += 1;
                        continue;
                    };
                    rewritten += 1;
                    let mut floats = constants(DVec3::X, DVec3::X, Plane::View);
                    floats[6..9].fill([0.0, 0.0, 0.0, 0.25]);
                    let input = vertex(DVec3::new(20.0, 4.0, -6.0), 0);
                    let plain = Shader::new(&damaged).run(&input, &floats);
                    let radial = Shader::new(&radial).run(&input, &floats);
                    let plain = plain.registers.as_flattened();
                    for (was, is) in plain.iter().zip(radial.registers.as_flattened()) {
                        let same = was == is || was.to_bits() == is.to_bits();
                        assert!(same, "{} {at} {bit}: {was}, {is}", case.name);
                    }
                }
            }
        }
    }
    println!("{refused} refused, {declined} declined, {rewritten} rewritten");
    assert!(refused > 1_000 && declined > 10 && rewritten > 1_000);
}
