//! Rules that the case files cannot state: what a run says about itself, quads whose
//! pixels part ways, what texture fetches ask for. The right values are worked by hand.

use ninefold_bytecode::{SamplerKind, Usage, assemble};
use ninefold_exec::{
    Bump, Constants, Denormals, Error, Fetch, FloatRules, Lod, Machine, NoTextures, Options,
    Program, QuadInput, QuadOutput, VertexInput, VertexOutput,
};

fn compile(text: &str) -> Program {
    compile_with(text, &Options::default())
}

fn compile_with(text: &str, options: &Options) -> Program {
    let code = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Program::compile(&code, options)
}

/// `oT0` of one vertex whose `v0` is `value`.
fn vertex(text: &str, value: [f32; 4], constants: &Constants<'_>) -> [f32; 4] {
    let program = compile(text);
    let mut input: VertexInput = [[0.0; 4]; 16];
    input[0] = value;
    let output = program
        .run_vertex(&mut Machine::new(), &input, constants, &mut NoTextures)
        .expect("it ends");
    output.get(program.output(Usage::TexCoord, 0).expect("oT0 is written"))
}

fn pixels(text: &str, input: &QuadInput, constants: &Constants<'_>) -> QuadOutput {
    compile(text)
        .run_quad(&mut Machine::new(), input, constants, &mut NoTextures)
        .expect("it ends")
}

/// A quad whose pixels have `values` in the x of their input number `place`.
fn quad(place: usize, values: [f32; 4]) -> QuadInput {
    let mut input = QuadInput::default();
    for (pixel, value) in input.registers.iter_mut().zip(values) {
        pixel[place] = [value, 0.0, 0.0, 1.0];
    }
    input
}

fn reds(output: &QuadOutput) -> [f32; 4] {
    output.colors.map(|pixel| pixel[0][0])
}

#[test]
fn a_program_runs_only_in_its_stage() {
    let program = compile("ps_2_0\nmov oC0, c0\n");
    let input = [[0.0; 4]; 16];
    let error = program
        .run_vertex(
            &mut Machine::new(),
            &input,
            &Constants::default(),
            &mut NoTextures,
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a vertex shader to run here, found ps_2_0"
    );
}

#[test]
fn lists_of_different_length_are_refused() {
    let program = compile("vs_1_1\nmov oPos, v0\n");
    let mut outputs = [VertexOutput::default(); 2];
    let error = program.run_vertices(
        &mut Machine::new(),
        &[[[0.0; 4]; 16]; 3],
        &mut outputs,
        &Constants::default(),
        &mut NoTextures,
    );
    assert_eq!(
        error,
        Err(Error::Lengths {
            inputs: 3,
            outputs: 2
        })
    );
}

#[test]
fn a_run_past_the_limit_says_where_it_was() {
    let text = "vs_2_0\ndefi i0, 255, 0, 0, 0\nrep i0\nrep i0\nrep i0\nadd r0, r0, c0\n\
                endrep\nendrep\nendrep\nmov oPos, r0\n";
    let options = Options {
        max_steps: 1_000,
        ..Options::default()
    };
    let program = compile_with(text, &options);
    let error = program
        .run_vertex(
            &mut Machine::new(),
            &[[0.0; 4]; 16],
            &Constants::default(),
            &mut NoTextures,
        )
        .unwrap_err();
    let Error::Steps { limit, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(limit, 1_000);
    assert!(
        error
            .to_string()
            .starts_with("stopped after 1000 operations at instruction ")
    );
}

#[test]
fn loops_run_at_most_255_times_and_not_below_0() {
    let text = "vs_2_0\nrep i0\nadd r0, r0, c0\nendrep\nmov oT0, r0\nmov oPos, r0\n";
    let turns = |count: i32| {
        let constants = Constants {
            floats: &[[1.0; 4]],
            ints: &[[count, 0, 0, 0]],
            ..Constants::default()
        };
        vertex(text, [0.0; 4], &constants)[0]
    };
    assert_eq!(
        [turns(7), turns(255), turns(256), turns(-1)],
        [7.0, 255.0, 255.0, 0.0]
    );
}

#[test]
fn the_shaders_own_constants_go_before_the_applications() {
    let text = "vs_2_0\ndef c1, 5, 6, 7, 8\ndefb b0, false\ndefi i0, 2, 0, 0, 0\nmov r0, c1\n\
                if b0\nmov r0, c0\nendif\nrep i0\nadd r0.x, r0.x, c0.x\nendrep\n\
                mov oT0, r0\nmov oPos, r0\n";
    let constants = Constants {
        floats: &[[1.0; 4], [9.0; 4]],
        ints: &[[9, 9, 9, 9]],
        bools: &[true],
        ..Constants::default()
    };
    assert_eq!(vertex(text, [0.0; 4], &constants), [7.0, 6.0, 7.0, 8.0]);
}

#[test]
fn constants_past_the_end_are_zero() {
    let text = "vs_2_0\nmov r0, c7\nif b3\nmov r0, c0\nendif\nrep i5\nmov r0, c0\nendrep\n\
                mov oT0, r0\nmov oPos, r0\n";
    let constants = Constants {
        floats: &[[1.0; 4]],
        ..Constants::default()
    };
    assert_eq!(vertex(text, [0.0; 4], &constants), [0.0; 4]);
}

#[test]
fn a_return_inside_a_block_leaves_the_subroutine_only() {
    let text = "vs_2_0\nmov r0, c0\ncall l0\nadd r0.w, r0.w, c0.x\nmov oT0, r0\nmov oPos, r0\nret\n\
                label l0\nif b0\nmov r0.x, c1.x\nret\nendif\nmov r0.y, c1.x\nret\n";
    let constants = |set| Constants {
        floats: &[[1.0; 4], [5.0; 4]],
        bools: if set { &[true] } else { &[false] },
        ..Constants::default()
    };
    assert_eq!(
        vertex(text, [0.0; 4], &constants(true)),
        [5.0, 1.0, 1.0, 2.0]
    );
    assert_eq!(
        vertex(text, [0.0; 4], &constants(false)),
        [1.0, 5.0, 1.0, 2.0]
    );
}

#[test]
fn a_subroutine_sees_the_counter_of_the_loop_it_is_called_from() {
    let text = "vs_2_0\nloop aL, i0\ncall l0\nendloop\nmov oT0, r0\nmov oPos, r0\nret\n\
                label l0\nadd r0, r0, c[aL]\nret\n";
    let constants = Constants {
        floats: &[[1.0; 4], [10.0; 4], [100.0; 4]],
        ints: &[[2, 1, 1, 0]],
        ..Constants::default()
    };
    assert_eq!(vertex(text, [0.0; 4], &constants), [110.0; 4]);
}

#[test]
fn pixels_of_a_quad_part_ways() {
    let text = "ps_3_0\ndef c0, 0, 1, 2, 3\ndcl_color v0\nmov r0, c0.x\n\
                if_gt v0.x, c0.z\nmov r0.x, c0.y\nelse\nif_gt v0.x, c0.y\nmov r0.x, c0.z\n\
                else\nmov r0.x, c0.w\nendif\nendif\nmov oC0, r0\n";
    let output = pixels(text, &quad(0, [3.0, 0.0, 2.0, 1.5]), &Constants::default());
    assert_eq!(reds(&output), [1.0, 3.0, 2.0, 2.0]);
}

#[test]
fn each_pixel_leaves_a_loop_on_its_own() {
    let text = "ps_3_0\ndefi i0, 10, 0, 0, 0\ndef c0, 0, 1, 0, 0\ndcl_color v0\n\
                mov r0, c0.x\nrep i0\nbreak_ge r0.x, v0.x\nadd r0.x, r0.x, c0.y\nendrep\n\
                add r0.y, r0.y, c0.y\nmov oC0, r0\n";
    let output = pixels(text, &quad(0, [3.0, 0.0, 99.0, 1.0]), &Constants::default());
    assert_eq!(reds(&output), [3.0, 0.0, 10.0, 1.0]);
    // All are back after the loop.
    assert_eq!(output.colors.map(|pixel| pixel[0][1]), [1.0; 4]);
}

#[test]
fn pixels_that_return_early_stay_out_of_the_loops_they_left() {
    let text = "ps_3_0\ndefi i0, 4, 0, 0, 0\ndef c0, 0, 1, 2, 0\ndcl_color v0\n\
                mov r0, c0.x\ncall l0\nadd r0.y, r0.y, c0.y\nmov oC0, r0\nret\n\
                label l0\nrep i0\nadd r0.x, r0.x, c0.y\nif_lt v0.x, c0.z\nret\nendif\nendrep\n\
                add r0.x, r0.x, c0.y\nret\n";
    let output = pixels(text, &quad(0, [1.0, 2.0, 1.0, 3.0]), &Constants::default());
    assert_eq!(reds(&output), [1.0, 5.0, 1.0, 5.0]);
    assert_eq!(output.colors.map(|pixel| pixel[0][1]), [1.0; 4]);
}

#[test]
fn derivatives_are_of_the_own_row_and_column() {
    let text = "ps_3_0\ndcl_color v0\nmov r0, v0\ndsx r1, r0\ndsy r2, r0\n\
                mov r0.x, r1.x\nmov r0.y, r2.x\nmov oC0, r0\n";
    let output = pixels(
        text,
        &quad(0, [1.0, 4.0, 11.0, 16.0]),
        &Constants::default(),
    );
    assert_eq!(reds(&output), [3.0, 3.0, 5.0, 5.0]);
    assert_eq!(
        output.colors.map(|pixel| pixel[0][1]),
        [10.0, 12.0, 10.0, 12.0]
    );
}

#[test]
fn killed_pixels_are_told_apart() {
    let text = "ps_2_0\ndcl t0\nmov r0, t0\ntexkill r0\nmov oC0, r0\n";
    let output = pixels(
        text,
        &quad(2, [-1.0, 1.0, 0.0, -0.5]),
        &Constants::default(),
    );
    assert_eq!(output.killed, 0b1001);
    // -0 is not below 0, and NaN is not either.
    let output = pixels(
        text,
        &quad(2, [-0.0, f32::NAN, 0.0, -1e-30]),
        &Constants::default(),
    );
    assert_eq!(output.killed, 0b1000);
}

#[test]
fn texkill_before_ps_1_4_tests_the_coordinates_not_the_register() {
    // texcoord clamps what the register holds; the coordinate itself is below 0.
    let text = "ps_1_1\ntexcoord t0\ntexkill t0\nmov r0, t0\n";
    let output = pixels(
        text,
        &quad(2, [-1.0, 1.0, -0.25, 0.0]),
        &Constants::default(),
    );
    assert_eq!(output.killed, 0b0101);
    assert_eq!(reds(&output), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn vpos_counts_pixels_and_vface_has_a_sign() {
    let text = "ps_3_0\ndcl vPos.xy\ndcl vFace\nmov r0, vPos.xyxy\nmov r0.z, vFace\nmov oC0, r0\n";
    let input = QuadInput {
        position: [6.0, 10.0],
        front: false,
        ..QuadInput::default()
    };
    let output = pixels(text, &input, &Constants::default());
    let got = output
        .colors
        .map(|pixel| [pixel[0][0], pixel[0][1], pixel[0][2]]);
    assert_eq!(
        got,
        [
            [6.0, 10.0, -1.0],
            [7.0, 10.0, -1.0],
            [6.0, 11.0, -1.0],
            [7.0, 11.0, -1.0]
        ]
    );
}

#[test]
fn depth_comes_from_o_depth_or_the_depth_instructions() {
    let constants = Constants::default();
    let text = "ps_2_0\ndcl t0\nmov r0, t0\nmov oDepth, r0.x\nmov oC0, r0\n";
    let program = compile(text);
    assert!(program.writes_depth());
    assert_eq!(
        pixels(text, &quad(2, [0.1, 0.2, 0.3, 0.4]), &constants).depth,
        [0.1, 0.2, 0.3, 0.4]
    );

    // r5.r / r5.g, which counts as 1 at most, and 1 where that divides by 0.
    let text = "ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, v0\n";
    let mut input = QuadInput::default();
    for (pixel, green) in input.registers.iter_mut().zip([2.0, 0.5, 0.0, 1.0]) {
        pixel[2] = [0.25, green, 0.0, 0.0];
    }
    assert_eq!(
        pixels(text, &input, &constants).depth,
        [0.25, 0.5, 1.0, 0.25]
    );

    // (t1 . t0) / (t2 . t0), t0 clamped to (1, 0, 0).
    let text = "ps_1_3\ntexcoord t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, v0\n";
    let mut input = QuadInput::default();
    for (pixel, lower) in input.registers.iter_mut().zip([2.0, 4.0, 0.0, 8.0]) {
        pixel[2] = [7.0, -1.0, 0.0, 0.0];
        pixel[3] = [1.0, 5.0, 5.0, 5.0];
        pixel[4] = [lower, 5.0, 5.0, 5.0];
    }
    let output = pixels(text, &input, &constants);
    assert_eq!(output.depth, [0.5, 0.25, 1.0, 0.125]);
    assert!(!compile("ps_2_0\nmov oC0, c0\n").writes_depth());
}

/// The fetches of the first pixel and of the last.
fn fetches(
    text: &str,
    options: &Options,
    input: &QuadInput,
    constants: &Constants<'_>,
) -> [Fetch; 2] {
    let mut found = Vec::new();
    compile_with(text, options)
        .run_quad(
            &mut Machine::new(),
            input,
            constants,
            &mut |fetch: &Fetch| {
                found.push(*fetch);
                [0.0; 4]
            },
        )
        .expect("it ends");
    assert_eq!(found.len(), 4);
    [found[0], found[3]]
}

#[test]
fn fetches_state_sampler_kind_coordinate_and_level() {
    let mut input = QuadInput::default();
    for (pixel, x) in input.registers.iter_mut().zip([1.0, 3.0, 8.0, 12.0]) {
        pixel[0] = [x, 2.0 * x, 0.0, 2.0];
    }
    let constants = Constants {
        floats: &[[0.5, 0.0, 0.0, 0.0], [0.0, 0.25, 0.0, 0.0]],
        ..Constants::default()
    };
    let declare = "ps_3_0\ndcl_texcoord v0\ndcl_volume s3\n";
    let of = |line: &str| {
        let text = format!("{declare}{line}\nmov oC0, r0\n");
        fetches(&text, &Options::default(), &input, &constants)
    };
    let implicit = |dx: [f32; 3], dy: [f32; 3], bias| Lod::Implicit { dx, dy, bias };
    let [first, last] = of("texld r0, v0, s3");
    assert_eq!((first.sampler, first.kind), (3, SamplerKind::Volume));
    assert_eq!(first.coordinate, [1.0, 2.0, 0.0, 2.0]);
    assert_eq!(first.lod, implicit([2.0, 4.0, 0.0], [7.0, 14.0, 0.0], 0.0));
    assert_eq!(last.lod, implicit([4.0, 8.0, 0.0], [9.0, 18.0, 0.0], 0.0));
    let [first, _] = of("texldp r0, v0, s3");
    assert_eq!(first.coordinate[..2], [0.5, 1.0]);
    assert_eq!(first.lod, implicit([1.0, 2.0, 0.0], [3.5, 7.0, 0.0], 0.0));
    assert_eq!(
        of("texldb r0, v0, s3")[0].lod,
        implicit([2.0, 4.0, 0.0], [7.0, 14.0, 0.0], 2.0)
    );
    assert_eq!(of("texldl r0, v0, s3")[0].lod, Lod::Level(2.0));
    assert_eq!(
        of("texldd r0, v0, s3, c0, c1")[0].lod,
        Lod::Gradients {
            dx: [0.5, 0.0, 0.0],
            dy: [0.0, 0.25, 0.0]
        }
    );
}

#[test]
fn ps_1_x_fetches_leave_the_kind_to_the_texture() {
    let mut input = QuadInput::default();
    for pixel in &mut input.registers {
        pixel[3] = [1.0, 2.0, 4.0, 8.0];
    }
    let coordinate = |by: u8| {
        let options = Options {
            projected: [0, by, 0, 0],
            ..Options::default()
        };
        let text = "ps_1_1\ntex t1\nmov r0, t1\n";
        let [fetch, _] = fetches(text, &options, &input, &Constants::default());
        assert_eq!((fetch.sampler, fetch.kind), (1, SamplerKind::Unknown));
        [
            fetch.coordinate[0],
            fetch.coordinate[1],
            fetch.coordinate[2],
        ]
    };
    assert_eq!(coordinate(0), [1.0, 2.0, 4.0]);
    assert_eq!(coordinate(1), [0.5, 1.0, 2.0]);
    assert_eq!(coordinate(2), [0.25, 0.5, 1.0]);
    assert_eq!(coordinate(3), [0.125, 0.25, 0.5]);
    assert_eq!(coordinate(7), [1.0, 2.0, 4.0]);
}

#[test]
fn pixels_that_do_not_run_fetch_nothing() {
    let text = "ps_3_0\ndef c0, 0, 1, 0, 0\ndcl_color v0\ndcl_2d s0\nmov r0, c0.x\n\
                if_gt v0.x, c0.x\ntexldl r0, v0, s0\nendif\nmov oC0, r0\n";
    let mut count = 0;
    let input = quad(0, [1.0, -1.0, 0.0, 5.0]);
    let output = compile(text)
        .run_quad(
            &mut Machine::new(),
            &input,
            &Constants::default(),
            &mut |_: &Fetch| {
                count += 1;
                [7.0; 4]
            },
        )
        .expect("it ends");
    assert_eq!(count, 2);
    assert_eq!(reds(&output), [7.0, 0.0, 0.0, 7.0]);
}

#[test]
fn dividing_modifiers_give_one_where_they_divide_by_zero() {
    let text = "ps_1_4\ntexcrd r1.rg, t0_dw.xyw\nphase\nmov r0, r1\n";
    let mut input = QuadInput::default();
    for (pixel, w) in input.registers.iter_mut().zip([4.0, 0.0, -0.0, 0.5]) {
        pixel[2] = [2.0, 3.0, 9.0, w];
    }
    let output = pixels(text, &input, &Constants::default());
    assert_eq!(reds(&output), [0.5, 1.0, 1.0, 4.0]);
    assert_eq!(
        output.colors.map(|pixel| pixel[0][1]),
        [0.75, 1.0, 1.0, 6.0]
    );
}

#[test]
fn bump_parameters_are_of_the_destination_stage() {
    let text =
        "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r2.rg, r0, r1\nphase\nmov r0, r2\n";
    let mut input = QuadInput::default();
    for pixel in &mut input.registers {
        (pixel[2], pixel[3]) = ([10.0, 20.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0]);
    }
    let mut bump = [Bump::default(); 3];
    bump[2].matrix = [1.0, 2.0, 3.0, 4.0];
    let constants = Constants {
        bump: &bump,
        ..Constants::default()
    };
    let output = pixels(text, &input, &constants);
    assert_eq!(output.colors[0][0][..2], [17.0, 30.0]);
}

#[test]
fn components_that_an_instruction_does_not_define_keep_their_value() {
    let constants = Constants {
        floats: &[[9.0; 4]],
        ..Constants::default()
    };
    let text = "vs_2_0\nmov r0, c0\nmov r1, v0\nmov r2, v0.yzxw\ncrs r0, r1, r2\n\
                mov oT0, r0\nmov oPos, r0\n";
    // (1, 2, 3) x (2, 3, 1) = (2 - 9, 6 - 1, 3 - 4)
    assert_eq!(
        vertex(text, [1.0, 2.0, 3.0, 4.0], &constants),
        [-7.0, 5.0, -1.0, 9.0]
    );
    let text = "vs_3_0\ndcl_position o1\ndcl_texcoord o0\nmov r0, c0\nmov o1, c0\n\
                sincos r0, v0.x\nmov o0, r0\n";
    assert_eq!(vertex(text, [0.0; 4], &constants), [1.0, 0.0, 9.0, 9.0]);
}

#[test]
fn scalars_come_from_the_last_lane() {
    let text = "vs_1_1\nrcp oT0, v0\nmov oPos, v0\n";
    assert_eq!(
        vertex(text, [1.0, 2.0, 3.0, 4.0], &Constants::default()),
        [0.25; 4]
    );
}

#[test]
fn ieee_rules_and_denormals_are_options() {
    let code = assemble("vs_1_1\nmul oT0, v0, c0\nmov oPos, v0\n").expect("it assembles");
    let run = |options: &Options| {
        let program = Program::compile(&code, options);
        let constants = Constants {
            floats: &[[f32::INFINITY, 2.0, 1e-20, 0.5]],
            ..Constants::default()
        };
        let mut input: VertexInput = [[0.0; 4]; 16];
        input[0] = [0.0, 1e-40, 1e-20, 3.0];
        let output = program
            .run_vertex(&mut Machine::new(), &input, &constants, &mut NoTextures)
            .expect("it ends");
        output.get(program.output(Usage::TexCoord, 0).expect("oT0 is written"))
    };
    let options = Options::default();
    assert_eq!(run(&options), [0.0, 2.0 * 1e-40, 1e-20 * 1e-20, 1.5]);
    let flush = Options {
        denormals: Denormals::Flush,
        ..options
    };
    assert_eq!(run(&flush), [0.0, 0.0, 0.0, 1.5]);
    let ieee = Options {
        float_rules: FloatRules::Ieee,
        ..options
    };
    let [x, rest @ ..] = run(&ieee);
    assert!(x.is_nan());
    assert_eq!(rest, [2.0 * 1e-40, 1e-20 * 1e-20, 1.5]);
}

#[test]
fn a_relative_write_outside_the_file_is_lost() {
    let text = "vs_3_0\ndcl_texcoord o0\ndcl_position o1\nmov o0, c0\nmov o1, c0\n\
                mova a0, v0\nmov o[a0.x], c1\nmov o[a0.y], c1\n";
    let constants = Constants {
        floats: &[[1.0; 4], [5.0; 4]],
        ..Constants::default()
    };
    assert_eq!(vertex(text, [-1.0, 12.0, 0.0, 0.0], &constants), [1.0; 4]);
    assert_eq!(vertex(text, [0.0, 12.0, 0.0, 0.0], &constants), [5.0; 4]);
}

#[test]
fn programs_list_what_crosses_their_border() {
    let program = compile("vs_1_1\nmov oPos, v3\nmul oD1, v0, c0\nmov oFog.x, v5.x\n");
    let inputs: Vec<_> = program
        .inputs()
        .iter()
        .map(|input| (input.semantic, input.place))
        .collect();
    assert_eq!(inputs, [(None, 0), (None, 3), (None, 5)]);
    let outputs: Vec<_> = program
        .outputs()
        .iter()
        .map(|output| (output.semantic, output.place))
        .collect();
    assert_eq!(
        outputs,
        [
            ((Usage::Position, 0), 0),
            ((Usage::Fog, 0), 1),
            ((Usage::Color, 1), 4)
        ]
    );

    let program = compile(
        "vs_3_0\ndcl_position v4\ndcl_blendindices1 v7.xy\ndcl_fog o3.w\ndcl_position o0\n\
         mov o0, v4\nmov o3, v7\n",
    );
    let inputs: Vec<_> = program
        .inputs()
        .iter()
        .map(|input| (input.semantic, input.place))
        .collect();
    let (position, indices) = (Some((Usage::Position, 0)), Some((Usage::BlendIndices, 1)));
    assert_eq!(inputs, [(position, 4), (indices, 7)]);
    let fog = program.output(Usage::Fog, 0).expect("it is declared");
    assert_eq!((fog.place, fog.mask.bits()), (3, 0b1000));

    let program = compile(
        "ps_2_0\ndcl t2\ndcl_cube s4\nmov r0, t2\ntexld r1, r0, s4\nmov oC0, r1\nmov oC2, r0\n",
    );
    assert_eq!(program.samplers(), [(4, SamplerKind::Cube)]);
    assert_eq!(program.color_outputs(), 0b101);
    let t2 = program.inputs().last().expect("t2 is read");
    assert_eq!((t2.semantic, t2.place), (Some((Usage::TexCoord, 2)), 4));
}
