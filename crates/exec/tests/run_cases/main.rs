//! Runs the case files of `tests/cases` at the repository root on the CPU: see the README
//! there.

#[path = "../../../../tests/support/case.rs"]
#[allow(dead_code)]
mod case;
#[path = "../../../shader/tests/common/mod.rs"]
mod common;
mod epilogue;
#[path = "../common/pictures.rs"]
mod pictures;

use case::{Case, Expected, Inputs, Row};
use ninefold_bytecode::{ShaderCode, Stage, Usage, assemble};
use ninefold_exec::{
    Bump, Constants, Denormals, FloatRules, Machine, Options, Program, QuadInput, VertexInput,
    VertexOutput,
};
use ninefold_shader::abi;
use pictures::Pictures;

/// Assembles a case's text; vertex shaders without a position get one.
fn assembled(text: &str) -> Result<ShaderCode, String> {
    assemble(&common::positioned(text)).map_err(|error| error.to_string())
}

/// The translator's options as far as they concern an executor.
fn options(case: &Case) -> Options {
    // As the translation does where the zero rule holds: a denormal factor counts as 0.
    let mut options = Options {
        denormals: Denormals::Flush,
        ..Options::default()
    };
    if case.options.float_rules == ninefold_shader::FloatRules::Ieee {
        options.float_rules = FloatRules::Ieee;
    }
    for (stage, by) in options.projected.iter_mut().enumerate() {
        if case.options.projected >> stage & 1 != 0 {
            *by = match case.options.projected_by[stage] {
                0 => 3,
                by => by,
            };
        }
    }
    options
}

/// The constants of a row, in lists that [`Constants`] can refer to.
struct Lists {
    floats: Vec<[f32; 4]>,
    ints: Vec<[i32; 4]>,
    bools: Vec<bool>,
    bump: Vec<Bump>,
}

impl Lists {
    fn of(inputs: &Inputs) -> Self {
        let mut lists = Lists {
            floats: vec![[0.0; 4]; 8192],
            ints: vec![[0; 4]; 2048],
            bools: (0..2048)
                .map(|n| match n {
                    0..32 => inputs.bools >> n & 1 != 0,
                    _ => inputs.wide_bools.contains(&n),
                })
                .collect(),
            bump: vec![Bump::default(); 8],
        };
        for (&register, &value) in &inputs.constants {
            lists.floats[register] = value;
        }
        for (&register, &value) in &inputs.ints {
            lists.ints[register] = value;
        }
        for (&stage, &matrix) in &inputs.bump {
            lists.bump[stage].matrix = matrix;
        }
        for (&stage, &[scale, offset, ..]) in &inputs.luminance {
            lists.bump[stage].luminance_scale = scale;
            lists.bump[stage].luminance_offset = offset;
        }
        lists
    }

    fn constants(&self) -> Constants<'_> {
        Constants {
            floats: &self.floats,
            ints: &self.ints,
            bools: &self.bools,
            bump: &self.bump,
        }
    }
}

/// What a pixel shader's input is when its semantic has no value of its own.
fn varying(
    (case, major): (&Case, u8),
    inputs: &Inputs,
    semantic: (Usage, u8),
    register: u8,
) -> [f32; 4] {
    let (usage, index) = semantic;
    let location =
        abi::varying_location(usage, index).unwrap_or(abi::LINKED_LOCATION + u32::from(register));
    if case.options.missing_inputs >> location & 1 != 0 {
        return abi::missing_input_value(location, major);
    }
    let at = usize::from(index);
    let given = match usage {
        Usage::Color => inputs.v.get(&at).copied(),
        Usage::TexCoord => inputs.t.get(&at).copied(),
        Usage::Fog => Some([inputs.fog; 4]),
        _ => None,
    };
    let linked = || inputs.varyings.get(&location).copied();
    given.or_else(linked).unwrap_or([0.0; 4])
}

fn run_vertex(program: &Program, case: &Case, row: &Row) -> Result<(), String> {
    let Expected::Value(name, want) = &row.expected else {
        return Err("a vertex shader gives values".into());
    };
    let mut input: VertexInput = [[0.0; 4]; 16];
    for (&register, &value) in &row.inputs.v {
        input[register] = value;
    }
    let lists = Lists::of(&row.inputs);
    let output = program
        .run_vertex(
            &mut Machine::new(),
            &input,
            &lists.constants(),
            &mut Pictures(&case.textures),
        )
        .map_err(|error| error.to_string())?;
    let (prefix, index) = split(name);
    if prefix == "linked" {
        let got = linked(program, case, &output, index.into());
        return compare(name, got, *want, case.within);
    }
    let semantic = match prefix {
        "out" | "oT" => (Usage::TexCoord, index),
        "oD" => (Usage::Color, index),
        "oFog" => (Usage::Fog, 0),
        "oPts" => (Usage::PSize, 0),
        _ => return Err(format!("no output {name} in this stage")),
    };
    let place = program.output(semantic.0, semantic.1);
    let place = place.ok_or_else(|| format!("{name} is not written"))?;
    let got = match semantic.0 {
        Usage::Fog | Usage::PSize => [output.scalar(place); 4],
        _ => output.get(place),
    };
    compare(name, got, *want, case.within)
}

/// What register `v<register>` of a pixel shader takes from the vertex shader.
fn linked(program: &Program, case: &Case, output: &VertexOutput, register: usize) -> [f32; 4] {
    [0, 1, 2, 3].map(|component| {
        let semantic = case.options.link.semantic(register, component);
        let place = semantic.and_then(|(usage, index)| program.output(usage, index));
        match place {
            Some(place) if place.semantic.0 == Usage::Fog => output.scalar(place),
            Some(place) => output.get(place)[component],
            None => 0.0,
        }
    })
}

fn run_pixel(program: &Program, case: &Case, row: &Row) -> Result<(), String> {
    let mut input = QuadInput::default();
    let rules = (case, program.version().major);
    for place in program.inputs() {
        let semantic = place.semantic.ok_or("an input without a semantic")?;
        let value = varying(rules, &row.inputs, semantic, place.place);
        for pixel in &mut input.registers {
            for component in place.mask.components() {
                pixel[usize::from(place.place)][component] = value[component];
            }
        }
    }
    let lists = Lists::of(&row.inputs);
    let output = program
        .run_quad(
            &mut Machine::new(),
            &input,
            &lists.constants(),
            &mut Pictures(&case.textures),
        )
        .map_err(|error| error.to_string())?;
    let mut colors = output.colors[0];
    let killed = output.killed & 1 != 0 || !epilogue::passes(case, row, colors[0][3]);
    if program.version().major < 3 {
        let factor = varying(rules, &row.inputs, (Usage::Fog, 0), 0)[0];
        colors[0] = epilogue::fogged(case, row, factor, colors[0]);
    }
    match &row.expected {
        Expected::Killed if killed => Ok(()),
        Expected::Killed => Err(format!("not killed: {:?}", colors[0])),
        _ if killed => Err("killed".into()),
        Expected::Value(name, want) if name == "depth" => {
            compare(name, [output.depth[0]; 4], *want, case.within)
        }
        Expected::Value(name, want) => match split(name) {
            ("out" | "oC", index) => compare(name, colors[usize::from(index)], *want, case.within),
            _ => Err(format!("no output {name} in this stage")),
        },
        Expected::Refused(_) => Ok(()),
    }
}

fn split(name: &str) -> (&str, u8) {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let prefix = &name[..name.len() - digits.len()];
    (prefix, digits.parse().unwrap_or(0))
}

fn close(got: f32, want: f32, within: f32) -> bool {
    if want.is_nan() {
        return got.is_nan();
    }
    got == want || (got - want).abs() <= within * want.abs().max(1.0)
}

fn compare(name: &str, got: [f32; 4], want: [Option<f32>; 4], within: f32) -> Result<(), String> {
    let good = got
        .iter()
        .zip(want)
        .all(|(&got, want)| want.is_none_or(|w| close(got, w, within)));
    match good {
        true => Ok(()),
        false => Err(format!("{name} is {got:?}, expected {want:?}")),
    }
}

fn run_case(text: &str) -> Result<usize, String> {
    let case = Case::read(text)?;
    if !case.runs_on("exec") {
        return Ok(0);
    }
    let program = Program::compile(&assembled(&case.text)?, &options(&case));
    let rows = case.rows.iter();
    // What the translator refuses for its targets' sake may well run here.
    for row in rows.filter(|row| !matches!(row.expected, Expected::Refused(_))) {
        match program.stage() {
            Stage::Vertex => run_vertex(&program, &case, row),
            Stage::Pixel => run_pixel(&program, &case, row),
        }
        .map_err(|message| format!("line {}: {message}", row.line))?;
    }
    Ok(case.rows.len())
}

#[test]
fn every_case_gives_what_it_says() {
    let only = std::env::var("NINEFOLD_CASE").unwrap_or_default();
    let mut failures = Vec::new();
    let (mut files, mut rows) = (0, 0);
    for (name, text) in common::case_texts() {
        if !name.contains(&only) {
            continue;
        }
        files += 1;
        match run_case(&text) {
            Ok(run) => rows += run,
            Err(message) => failures.push(format!("{name}: {message}")),
        }
    }
    println!("{files} case files, {rows} rows run");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(files > 0);
}
