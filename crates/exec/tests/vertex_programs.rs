//! What a program says of its inputs and outputs, and addresses that must lie in the constants.

use ninefold_bytecode::{SrcModifier, Usage, WriteMask, assemble};
use ninefold_exec::limits::GROUP;
use ninefold_exec::{
    Constants, Error, Machine, NoTextures, NotProcessed, Options, Program, VertexInput,
    check_processed,
};

fn program(text: &str, strict_addresses: bool) -> Program {
    let code = assemble(text).unwrap_or_else(|e| panic!("{e}"));
    let options = Options {
        strict_addresses,
        ..Options::default()
    };
    Program::compile(&code, &options)
}

/// Runs vertices whose v0.x are these, together and alone: both must agree.
fn run(program: &Program, values: &[f32], floats: &[[f32; 4]]) -> Result<Vec<[f32; 4]>, Error> {
    let constants = Constants {
        floats,
        ..Constants::default()
    };
    let inputs: Vec<VertexInput> = values
        .iter()
        .map(|x| {
            let mut input = [[0.0; 4]; 16];
            input[0][0] = *x;
            input
        })
        .collect();
    let mut machine = Machine::new();
    let mut outputs = vec![Default::default(); inputs.len()];
    let together = program.run_vertices(
        &mut machine,
        &inputs,
        &mut outputs,
        &constants,
        &mut NoTextures,
    );
    let alone: Result<Vec<_>, _> = inputs
        .iter()
        .map(|input| program.run_vertex(&mut machine, input, &constants, &mut NoTextures))
        .collect();
    assert_eq!(together.err(), alone.as_ref().err().copied());
    let position = *program.output(Usage::Position, 0).expect("a position");
    let alone = alone?;
    assert_eq!(alone, outputs);
    Ok(alone.iter().map(|output| output.get(&position)).collect())
}

const ADDRESS: &str = "vs_1_1\n dcl_position v0\n mov a0.x, v0.x\n mov oPos, c[a0.x + 2]\n";

#[test]
fn strict_addresses_lie_in_the_constants() {
    let floats: Vec<[f32; 4]> = (0..5u8).map(|n| [f32::from(n); 4]).collect();
    let strict = program(ADDRESS, true);
    let values = [-2.0, -1.5, 0.0, 2.99];
    let expected = [[0.0; 4], [0.0; 4], [2.0; 4], [4.0; 4]];
    assert_eq!(run(&strict, &values, &floats), Ok(expected.to_vec()));
    for (stray, register) in [
        (3.0, 5),
        (-2.5, -1),
        (f32::INFINITY, i64::from(i32::MAX) + 2),
        (f32::NEG_INFINITY, i64::from(i32::MIN) + 2),
        (f32::NAN, i64::from(i32::MIN) + 2),
    ] {
        let mut values = [0.0; 11];
        values[9] = stray;
        let error = Error::Address {
            register,
            count: 5,
            instruction: 2,
            byte_offset: 28,
        };
        assert_eq!(run(&strict, &values, &floats), Err(error), "{stray}");
        let lenient = run(&program(ADDRESS, false), &values, &floats).unwrap();
        let read = if stray.is_nan() { 2.0 } else { 0.0 };
        assert_eq!(lenient[9], [read; 4], "{stray}");
    }
}

#[test]
fn lanes_that_do_not_run_may_address_anything() {
    let text = "vs_2_x\n dcl_position v0\n def c0, 4, 0, 0, 0\n mova a0.x, v0.x\n mov r0, c0.y\n \
                if_lt v0.x, c0.x\n mov r0, c[a0.x]\n endif\n mov oPos, r0\n";
    let floats = [[7.0; 4]; 4];
    let values = [3.0, 900.0, 1.0];
    assert_eq!(
        run(&program(text, true), &values, &floats),
        Ok(vec![[7.0; 4], [0.0; 4], [7.0; 4]])
    );
}

#[test]
fn outputs_say_which_components_are_written() {
    let text = "vs_1_1\n dcl_position v0\n mov oPos.xy, v0\n mov oPos.w, v0\n mov oD1.z, v0\n mov oT3, v0\n";
    let program = program(text, false);
    let written: Vec<_> = program
        .outputs()
        .iter()
        .map(|output| (output.semantic, output.written.bits()))
        .collect();
    assert_eq!(
        written,
        [
            ((Usage::Position, 0), 0b1011),
            ((Usage::Color, 1), 0b0100),
            ((Usage::TexCoord, 3), 0b1111),
        ]
    );
}

#[test]
fn outputs_of_vs_3_0_are_written_in_their_own_components() {
    let text = "vs_3_0\n dcl_position v0\n dcl_position o0\n dcl_texcoord0 o1.xy\n dcl_texcoord1 o1.zw\n \
                dcl_color o2\n mov o0, v0\n mov o1.yz, v0\n";
    let program = program(text, false);
    let written = |usage, index| program.output(usage, index).unwrap().written;
    assert_eq!(written(Usage::Position, 0), WriteMask::ALL);
    assert_eq!(written(Usage::TexCoord, 0), WriteMask::from_bits(0b0010));
    assert_eq!(written(Usage::TexCoord, 1), WriteMask::from_bits(0b0100));
    assert!(written(Usage::Color, 0).is_empty());
}

#[test]
fn inputs_say_whether_they_are_read() {
    let text = "vs_1_1\n dcl_position v0\n dcl_normal v1\n dcl_texcoord v2\n mov oPos, v0\n m3x2 oT0.xy, v0, v2\n";
    let read: Vec<_> = program(text, false)
        .inputs()
        .iter()
        .map(|input| (input.place, input.read))
        .collect();
    assert_eq!(read, [(0, true), (1, false), (2, true)]);
}

#[test]
fn groups_give_what_single_vertices_give() {
    let text = "vs_1_1\n dcl_position v0\n dcl_color v7\n mov oPos, v0\n mul oD0.xyz, v7, c0\n mov oFog, v0.x\n \
                exp oT2, v7.y\n";
    let program = program(text, false);
    let constants = Constants {
        floats: &[[2.0, -1.0, 0.5, 0.0]],
        ..Constants::default()
    };
    let value = |n: usize, c: usize| (n * 4 + c) as f32 / 7.0;
    for count in [1, 5, GROUP] {
        let mut machine = Machine::new();
        let mut group = program.group(&mut machine, count).unwrap();
        for place in [0, 7] {
            let register = group.input(place).expect("an input");
            for (c, lanes) in register.iter_mut().enumerate() {
                for (n, lane) in lanes.iter_mut().enumerate() {
                    *lane = value(n + place, c);
                }
            }
        }
        assert!(group.input(8).is_none() && group.input(usize::MAX).is_none());
        group.run(&constants, &mut NoTextures).unwrap();
        let outputs: Vec<_> = (0..14).map(|place| group.output(place)).collect();
        for n in 0..count {
            let mut input = [[0.0; 4]; 16];
            for place in [0, 7] {
                input[place] = std::array::from_fn(|c| value(n + place, c));
            }
            let alone = program
                .run_vertex(&mut Machine::new(), &input, &constants, &mut NoTextures)
                .unwrap();
            for (place, register) in alone.registers.iter().enumerate() {
                let together = outputs[place].map(|component| component[n]);
                assert_eq!(together, *register, "vertex {n}, place {place}");
            }
        }
        assert_eq!(outputs[13], [[0.0; GROUP]; 4]);
    }
}

#[test]
fn inputs_that_are_read_and_not_declared_are_told() {
    let undeclared = |text: &str| program(text, false).undeclared_input();
    let declared = "vs_1_1\n dcl_position v0\n dcl_color v2\n";
    assert_eq!(undeclared(&format!("{declared} mov oPos, v2\n")), None);
    assert_eq!(
        undeclared(&format!("{declared} add oPos, v0, v5\n")),
        Some(5)
    );
    // Rows v0 to v3.
    assert_eq!(
        undeclared(&format!("{declared} m4x4 oPos, v2, v0\n")),
        Some(1)
    );
    assert_eq!(
        undeclared("vs_1_1\n mov oPos, v3\n"),
        None,
        "none is declared"
    );
    // What a relative address may reach is not named.
    let relative = "vs_3_0\n dcl_position v0\n dcl_position o0\n defi i0, 1, 0, 0, 0\n loop aL, i0\n \
                    mov o0, v0[aL]\n endloop\n";
    assert_eq!(undeclared(relative), None);
}

#[test]
fn model_1_is_processed_within_its_bounds() {
    let check = |text: &str| check_processed(&assemble(text).unwrap_or_else(|e| panic!("{e}")));
    let long = |version: &str| format!("{version}\n{}", " mov oPos, c0\n".repeat(257));
    assert_eq!(check(&long("vs_1_1")), Err(NotProcessed::Instructions(257)));
    assert_eq!(check(&long("vs_2_0")), Ok(()));
    let declared = format!(
        "vs_1_1\n dcl_position v0\n def c1, 0, 0, 0, 0\n{}",
        " mov oPos, v0\n".repeat(256)
    );
    assert_eq!(check(&declared), Ok(()));
    let modified = check("vs_1_1\n mov oPos, c0\n mad oT0, v0, -c0, v0_abs\n");
    let error = NotProcessed::Modifier {
        modifier: SrcModifier::Abs,
        instruction: 1,
        byte_offset: 16,
    };
    assert_eq!(modified, Err(error));
    assert_eq!(check("vs_3_0\n dcl_position o0\n mov o0, c0_abs\n"), Ok(()));
}
