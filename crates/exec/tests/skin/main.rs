//! The skinning executor against the interpreter: every bit, in every rounding mode, and only for
//! the streams that are known.

mod arithmetic;
mod stream;

use arithmetic::{DOWN, In, NEAREST, Software, TOWARD_ZERO, UP};
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_exec::limits::GROUP;
use ninefold_exec::skin::{
    SHADER, Scalar, Skin, SkinError, SkinGroup, SkinRoles, SkinShaders, Vectors,
};
use ninefold_exec::{
    Constants, Denormals, FloatRules, Machine, NoTextures, Options, Program, Real, VertexInput,
    VertexOutput,
};

/// Bones that fit between c29 and c255.
const BONES: u32 = 75;
const VERTICES: usize = 700;

fn known() -> (ShaderCode, Skin) {
    let code = assemble(SHADER).expect("it assembles");
    let skin = SkinShaders::default().find(code.tokens()).expect("known");
    (code, skin)
}

fn program(code: &ShaderCode) -> Program {
    let options = Options {
        strict_addresses: true,
        ..Options::default()
    };
    Program::compile(code, &options)
}

/// Repeatable numbers (xorshift64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as u32
    }

    /// Usual numbers and, `odd` in 16 times, unusual ones: zeros of both signs, infinities,
    /// NaNs with payloads, denormals, numbers whose products overflow or vanish.
    fn float(&mut self, odd: u32) -> f32 {
        let bits = self.next();
        if bits & 15 >= odd {
            return (bits >> 8) as f32 / 3.0e6 - 2.5;
        }
        let signed = |x: f32| if bits & 16 != 0 { -x } else { x };
        match bits >> 5 & 7 {
            0 | 1 => signed(0.0),
            2 => signed(f32::INFINITY),
            3 => f32::from_bits(0x7F80_0001 | bits & 0x803F_FFFF),
            4 => f32::from_bits(bits & 0x807F_FFFF),
            5 => signed(f32::MAX / 3.0),
            6 => signed(1e-30),
            _ => signed(1.0),
        }
    }
}

/// Constants and vertices; `odd` as above.
fn scene(seed: u64, odd: u32) -> (Vec<[f32; 4]>, Vec<VertexInput>) {
    let mut numbers = Numbers(seed);
    let mut floats: Vec<[f32; 4]> = (0..256)
        .map(|_| [0; 4].map(|_| numbers.float(odd)))
        .collect();
    floats[5][3] = 0.25;
    floats[9][3] = 255.0;
    let inputs = (0..VERTICES)
        .map(|_| {
            let mut input = [[0; 4]; 16].map(|v| v.map(|_| numbers.float(odd)));
            for index in &mut input[3][..2] {
                *index = (3 * (numbers.next() % BONES)) as f32 / 255.0;
            }
            input
        })
        .collect();
    (floats, inputs)
}

fn bits(outputs: &[VertexOutput]) -> Vec<[[u32; 4]; 13]> {
    let bits = |output: &VertexOutput| output.registers.map(|value| value.map(f32::to_bits));
    outputs.iter().map(bits).collect()
}

/// The interpreter, one vertex at a time and in groups, and the skinning executor with one
/// arithmetic; gives what all three gave.
fn agreed<T: Real>(seed: u64, odd: u32) -> Vec<[[u32; 4]; 13]> {
    let (code, skin) = known();
    let program = program(&code);
    let (floats, inputs) = scene(seed, odd);
    let constants = Constants {
        floats: &floats,
        ..Constants::default()
    };
    let mut results = [false, true].map(|together| {
        let mut outputs = vec![VertexOutput::default(); inputs.len()];
        program
            .run_vertices_in::<T>(together, &inputs, &mut outputs, &constants, &mut NoTextures)
            .expect("all addresses are inside");
        bits(&outputs)
    });
    let mut outputs = vec![VertexOutput::default(); inputs.len()];
    assert!(skin.run_vertices_in::<T>(&program, &inputs, &mut outputs, &constants));
    let fast = bits(&outputs);
    for (n, vertex) in fast.iter().enumerate() {
        assert_eq!(results[0][n], *vertex, "vertex {n} alone and fast");
        assert_eq!(results[1][n], *vertex, "vertex {n} in a group and fast");
    }
    std::mem::take(&mut results[0])
}

#[test]
fn all_executors_agree_in_every_rounding_mode() {
    for (seed, odd) in [(0x1234_5678_9ABC_DEF1, 0), (77, 1), (0xFEED_5EED, 8)] {
        let nearest = agreed::<In<Software<NEAREST>>>(seed, odd);
        assert_eq!(agreed::<f32>(seed, odd), nearest);
        let down = agreed::<In<Software<DOWN>>>(seed, odd);
        let up = agreed::<In<Software<UP>>>(seed, odd);
        let toward_zero = agreed::<In<Software<TOWARD_ZERO>>>(seed, odd);
        // The modes are not the same arithmetic.
        assert!(down != up && up != toward_zero && toward_zero != down && nearest != up);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_processor_agrees_with_the_software() {
    use arithmetic::Processor;
    for (seed, odd) in [(4711, 0), (99, 2), (0xABCD_EF01, 8)] {
        let (a, b) = (
            agreed::<In<Processor<NEAREST>>>(seed, odd),
            agreed::<In<Software<NEAREST>>>(seed, odd),
        );
        assert_eq!(a, b);
        let (a, b) = (
            agreed::<In<Processor<DOWN>>>(seed, odd),
            agreed::<In<Software<DOWN>>>(seed, odd),
        );
        assert_eq!(a, b);
        let (a, b) = (
            agreed::<In<Processor<UP>>>(seed, odd),
            agreed::<In<Software<UP>>>(seed, odd),
        );
        assert_eq!(a, b);
        let (a, b) = (
            agreed::<In<Processor<TOWARD_ZERO>>>(seed, odd),
            agreed::<In<Software<TOWARD_ZERO>>>(seed, odd),
        );
        assert_eq!(a, b);
    }
}

#[test]
fn any_other_token_is_another_shader() {
    let (code, _) = known();
    let shaders = SkinShaders::default();
    let tokens = code.tokens();
    for at in 0..tokens.len() {
        for bit in 0..32 {
            let mut changed = tokens.to_vec();
            changed[at] ^= 1 << bit;
            assert_eq!(shaders.find(&changed), None, "bit {bit} of token {at}");
        }
        let mut shorter = tokens.to_vec();
        shorter.remove(at);
        // One of two equal neighbours or not, the stream is another one.
        assert_eq!(shaders.find(&shorter), None, "without token {at}");
        let mut longer = tokens.to_vec();
        longer.insert(at, tokens[at]);
        assert_eq!(shaders.find(&longer), None, "token {at} twice");
    }
    // An empty comment after the version changes nothing but the stream.
    let mut commented = tokens.to_vec();
    commented.insert(1, 0x0000_FFFE);
    assert!(ShaderCode::parse(&commented).is_ok());
    assert_eq!(shaders.find(&commented), None);
    assert_eq!(shaders.find(&[]), None);
    assert_eq!(SkinShaders::none().find(tokens), None);
}

/// A group whose inputs are those of the scene's first vertices.
fn group(inputs: &[VertexInput]) -> SkinGroup {
    let mut group = SkinGroup::default();
    for (n, input) in inputs.iter().take(GROUP).enumerate() {
        for (place, value) in input.iter().enumerate() {
            group.input(place).expect("an input")[n] = *value;
        }
    }
    group
}

#[test]
fn addresses_outside_decline_the_whole_group() {
    let (code, skin) = known();
    let program = program(&code);
    let (floats, inputs) = scene(5, 0);
    let constants = Constants {
        floats: &floats,
        ..Constants::default()
    };
    // As the shader has it: times 255 plus a quarter, rounded down, plus 29.
    for (index, inside) in [
        (-29.0, true),
        (-29.5, false),
        (224.0, true),
        (225.0, false),
        (f32::INFINITY, false),
        (f32::NEG_INFINITY, false),
        (f32::NAN, false),
        (3e9, false),
        (-3e9, false),
    ] {
        for bone in 0..2 {
            for weight in [0.5, 0.0] {
                let mut inputs = inputs.clone();
                inputs[17][3][bone] = index / 255.0;
                // A bone that counts for nothing is read all the same.
                inputs[17][2][bone] = weight;
                let mut group = group(&inputs);
                let before: Vectors = *group.output(0).expect("oPos");
                let count = 18;
                assert_eq!(skin.run(&mut group, count, &constants), inside, "{index}");
                if !inside {
                    assert_eq!(*group.output(0).expect("oPos"), before);
                }
                let alone = program.run_vertex(
                    &mut Machine::new(),
                    &inputs[17],
                    &constants,
                    &mut NoTextures,
                );
                assert_eq!(alone.is_ok(), inside, "{index}, the interpreter");
                // Vertices past the count are none of its business.
                assert!(skin.run(&mut group, 17, &constants));
            }
        }
    }
    let few = Constants {
        floats: &floats[..2],
        ..constants
    };
    assert!(!skin.run(&mut group(&inputs), 1, &few));
    assert!(!skin.run(&mut group(&inputs), 1, &Constants::default()));
}

#[test]
fn other_number_rules_are_not_its_own() {
    let (code, skin) = known();
    assert!(skin.applies(&program(&code)));
    let others = [
        Options {
            float_rules: FloatRules::Ieee,
            ..Options::default()
        },
        Options {
            denormals: Denormals::Flush,
            ..Options::default()
        },
    ];
    for options in others {
        assert!(!skin.applies(&Program::compile(&code, &options)));
    }
}

/// The same with other registers: indices and weights in one input, the palette from c40 on.
const OTHER: &str = "vs_1_1
    dcl_position v1
    dcl_blendweight v0
    dcl_texcoord v5
    mul r5, v0.wzyx, c3.y
    add r5, r5, c4.z
    mov a0.x, r5.x
    mul r1, v0.x, c[a0.x + 40]
    mul r2, v0.x, c[a0.x + 41]
    mul r3, v0.x, c[a0.x + 42]
    mov a0.x, r5.y
    mad r1, v0.y, c[a0.x + 40], r1
    mad r2, v0.y, c[a0.x + 41], r2
    mad r3, v0.y, c[a0.x + 42], r3
    dp4 oPos.x, v1, r1
    dp4 oPos.y, v1, r2
    dp4 oPos.z, v1, r3
    mov oPos.w, v5.z
    mov oT0, v5
";

const OTHER_ROLES: SkinRoles = SkinRoles {
    position: 1,
    indices: [Scalar::new(0, 3), Scalar::new(0, 2)],
    weights: [Scalar::new(0, 0), Scalar::new(0, 1)],
    coordinates: 5,
    position_w: 2,
    scale: Scalar::new(3, 1),
    offset: Scalar::new(4, 2),
    palette: 40,
};

#[test]
fn shaders_are_registered_with_their_roles() {
    let code = assemble(OTHER).expect("it assembles");
    let mut shaders = SkinShaders::default();
    assert_eq!(shaders.find(code.tokens()), None);
    shaders.register(&code, OTHER_ROLES).expect("it fits");
    let skin = shaders.find(code.tokens()).expect("registered");
    assert_eq!(*skin.roles(), OTHER_ROLES);
    // Registered again, and the known one with its own roles.
    shaders.register(&code, OTHER_ROLES).expect("it fits");
    let (known, _) = known();
    shaders
        .register(&known, SkinRoles::KNOWN)
        .expect("the known one fits");
}

#[test]
fn roles_that_are_not_the_shaders_are_refused() {
    let code = assemble(OTHER).expect("it assembles");
    let mut shaders = SkinShaders::none();
    let mut refused = |roles: SkinRoles| shaders.register(&code, roles).expect_err("refused");
    let results = [
        SkinRoles {
            weights: [OTHER_ROLES.weights[1], OTHER_ROLES.weights[0]],
            ..OTHER_ROLES
        },
        SkinRoles {
            position_w: 0,
            ..OTHER_ROLES
        },
        SkinRoles {
            palette: 41,
            ..OTHER_ROLES
        },
        SkinRoles {
            scale: Scalar::new(3, 2),
            ..OTHER_ROLES
        },
        SkinRoles {
            position: 5,
            coordinates: 1,
            ..OTHER_ROLES
        },
    ];
    for roles in results {
        let error = refused(roles);
        assert!(matches!(error, SkinError::Results(_)), "{roles:?}: {error}");
    }
    let error = refused(SkinRoles {
        position: 2,
        ..OTHER_ROLES
    });
    assert_eq!(error, SkinError::Inputs(1));
    let error = refused(SkinRoles {
        coordinates: 16,
        ..OTHER_ROLES
    });
    assert_eq!(
        error.to_string(),
        "coordinates: 16 is out of range, expected an input below 16"
    );
    let error = refused(SkinRoles {
        offset: Scalar::new(4, 4),
        ..OTHER_ROLES
    });
    assert!(error.to_string().starts_with("offset: 4"), "{error}");
}

#[test]
fn shaders_that_do_more_are_refused() {
    let mut shaders = SkinShaders::none();
    let mut refused = |text: &str| {
        let code = assemble(text).unwrap_or_else(|e| panic!("{e}"));
        shaders.register(&code, SkinRoles::KNOWN).expect_err(text)
    };
    let fog = format!("{SHADER}    mov oFog, v4.x\n");
    assert_eq!(refused(&fog), SkinError::Outputs);
    let defined = SHADER.replace("    mad r0", "    def c9, 0, 0, 0, 255\n    mad r0");
    assert_eq!(refused(&defined), SkinError::Literals(9));
    let partly = SHADER.replace("mov oT0,", "mov oT0.xy,");
    assert_eq!(refused(&partly), SkinError::Outputs);
    let later = SHADER
        .replace("vs_1_1", "vs_2_0")
        .replace("mov a0", "mova a0");
    assert!(matches!(refused(&later), SkinError::Version(_)));
    let rounded = SHADER.replace("dp4 oPos.x, v0, r1", "dp3 oPos.x, v0, r1");
    assert!(matches!(refused(&rounded), SkinError::Results(_)));
}
