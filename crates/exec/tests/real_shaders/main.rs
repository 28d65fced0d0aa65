//! Every real shader, and random programs of free arithmetic, run on the GPU and here
//! with the same random inputs, and both must agree.
//!
//! How far results may be apart is found by running each program again with inputs
//! changed by a few steps of rounding: [`SPREAD`] times what that moves a result, and
//! [`BASE`] of its size. Results that it moves by more than [`UNSTABLE`], a comparison
//! on the edge for example, are not compared.

#[allow(dead_code)]
#[path = "../../../../tests/support/case.rs"]
mod case;
#[path = "../../../shader/tests/common/mod.rs"]
mod common;
mod expose;
mod programs;
#[allow(dead_code)]
#[path = "../../../../tests/support/rig.rs"]
mod rig;

use case::{Inputs, Picture};
use expose::{POSITION_AT, expose_position};
use ninefold_bytecode::{ShaderCode, Stage, Usage, assemble};
use ninefold_exec::limits::GROUP;
use ninefold_exec::{
    Constants, Denormals, Fetch, Machine, Options, Program, QuadInput, VertexInput, VertexOutput,
};
use ninefold_shader::{SamplerKind, Translation, abi, translate};
use rig::{Rig, UNTOUCHED, plain_color};
use std::collections::BTreeMap;

const BASE: f32 = 1e-4;
const SPREAD: f32 = 16.0;
const UNSTABLE: f32 = 0.02;
/// Times each program runs with changed inputs.
const RUNS: u64 = 6;
/// Random programs tried.
const PROGRAMS: u64 = 300;

pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number in -1 to 1 of few bits; now and then a round one.
    fn float(&mut self) -> f32 {
        let bits = self.next();
        match bits & 15 {
            0 => 0.0,
            1 => 1.0,
            _ => ((bits >> 8) % 4_001) as f32 / 2_000.0 - 1.0,
        }
    }

    fn vector(&mut self) -> [f32; 4] {
        [0; 4].map(|_| self.float())
    }
}

/// What a program gives: values by varying location or target, or nothing where it
/// kills the pixel.
#[derive(Clone)]
struct Outcome {
    values: BTreeMap<u32, [Option<f32>; 4]>,
    killed: bool,
}

/// Random inputs. Varyings go by location.
fn inputs(version: ninefold_bytecode::Version, seed: u64) -> Inputs {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0xD134_2543_DE82_EF95));
    let mut inputs = Inputs::default();
    let count = if version.is_vertex() { 256 } else { 224 };
    for register in 0..count {
        inputs.constants.insert(register, numbers.vector());
    }
    for register in 0..16 {
        let count = 1 + (numbers.next() % 4) as i32;
        let start = (numbers.next() % 3) as i32;
        inputs.ints.insert(register, [count, start, 1, 0]);
    }
    inputs.bools = numbers.next() as u32 & 0xFFFF;
    for register in 0..16 {
        inputs.v.insert(register, numbers.vector());
    }
    for location in 0..abi::VARYING_COUNT {
        let value = match location {
            0 | 1 if version.major < 3 => numbers.vector().map(f32::abs),
            _ => numbers.vector(),
        };
        inputs.varyings.insert(location, value);
    }
    inputs
}

/// Each number moved by a few steps of rounding, or not.
fn jittered(inputs: &Inputs, seed: u64) -> Inputs {
    let mut numbers = Numbers(0x5851_F42D_4C95_7F2D ^ seed);
    let mut moved = inputs.clone();
    let mut move_all = |value: &mut [f32; 4]| {
        for x in value {
            let step = (numbers.next() >> 20) % 3;
            *x *= 1.0 + (step as f32 - 1.0) * f32::EPSILON * 4.0;
        }
    };
    moved.constants.values_mut().for_each(&mut move_all);
    moved.v.values_mut().for_each(&mut move_all);
    moved.varyings.values_mut().for_each(&mut move_all);
    moved
}

/// Runs a program here.
fn run(program: &Program, inputs: &Inputs, pictures: &BTreeMap<usize, Picture>) -> Outcome {
    let count = if program.stage() == Stage::Vertex {
        256
    } else {
        224
    };
    let mut floats = vec![[0.0; 4]; count];
    for (&register, &value) in &inputs.constants {
        floats[register] = value;
    }
    let ints: Vec<_> = inputs.ints.values().copied().collect();
    let bools: Vec<_> = (0..16).map(|n| inputs.bools >> n & 1 != 0).collect();
    let constants = Constants {
        floats: &floats,
        ints: &ints,
        bools: &bools,
        bump: &[],
    };
    let mut texture = |fetch: &Fetch| match pictures.contains_key(&fetch.sampler.into()) {
        true => plain_color(fetch.sampler.into()),
        false => [0.0, 0.0, 0.0, 1.0],
    };
    match program.stage() {
        Stage::Vertex => vertex(program, inputs, &constants, &mut texture),
        Stage::Pixel => pixel(program, inputs, &constants, &mut texture),
    }
}

fn vertex(
    program: &Program,
    inputs: &Inputs,
    constants: &Constants<'_>,
    texture: &mut dyn ninefold_exec::Sampler,
) -> Outcome {
    let mut input: VertexInput = [[0.0; 4]; 16];
    for (&register, &value) in &inputs.v {
        input[register] = value;
    }
    let output = program
        .run_vertex(&mut Machine::new(), &input, constants, texture)
        .expect("it ends");
    lanes_agree(program, &input, &output, constants, texture);
    let mut values = BTreeMap::new();
    for place in program.outputs() {
        let location = match place.semantic {
            (Usage::Position, 0) => Some(POSITION_AT),
            (Usage::PSize, _) => None,
            (usage, index) => abi::varying_location(usage, index),
        };
        let Some(location) = location else { continue };
        let value = values.entry(location).or_insert([None; 4]);
        match place.semantic.0 {
            Usage::Fog => *value = [Some(output.scalar(place)); 4],
            _ => {
                let all = output.get(place);
                for component in place.mask.components() {
                    value[component] = Some(all[component]);
                }
            }
        }
    }
    Outcome {
        values,
        killed: false,
    }
}

/// Several vertices at once give each what it gives alone, to the bit: this one among others
/// that may take other ways, in a whole group and in a part of one.
fn lanes_agree(
    program: &Program,
    input: &VertexInput,
    output: &VertexOutput,
    constants: &Constants<'_>,
    texture: &mut dyn ninefold_exec::Sampler,
) {
    let mut machine = Machine::new();
    let bits = |output: &VertexOutput| output.registers.map(|value| value.map(f32::to_bits));
    let scaled = |n: usize| input.map(|value| value.map(|x| x * (1.0 - 0.375 * n as f32)));
    let inputs: Vec<VertexInput> = (0..GROUP + 5).map(|n| scaled(n % GROUP)).collect();
    let mut outputs = vec![VertexOutput::default(); inputs.len()];
    program
        .run_vertices(&mut machine, &inputs, &mut outputs, constants, texture)
        .expect("they end");
    assert_eq!(bits(&outputs[0]), bits(output));
    assert_eq!(bits(&outputs[GROUP]), bits(output));
    for (input, output) in inputs.iter().zip(&outputs) {
        let alone = program
            .run_vertex(&mut machine, input, constants, texture)
            .expect("it ends");
        assert_eq!(bits(&alone), bits(output), "alone and among others");
    }
}

fn pixel(
    program: &Program,
    inputs: &Inputs,
    constants: &Constants<'_>,
    texture: &mut dyn ninefold_exec::Sampler,
) -> Outcome {
    let mut input = QuadInput::default();
    for place in program.inputs() {
        let location = place
            .semantic
            .and_then(|(usage, n)| abi::varying_location(usage, n))
            .unwrap_or(abi::LINKED_LOCATION + u32::from(place.place));
        let value = inputs.varyings[&location];
        for pixel in &mut input.registers {
            for component in place.mask.components() {
                pixel[usize::from(place.place)][component] = value[component];
            }
        }
    }
    let output = program
        .run_quad(&mut Machine::new(), &input, constants, texture)
        .expect("it ends");
    let targets = (0..4).filter(|n| program.color_outputs() >> n & 1 != 0);
    Outcome {
        values: targets
            .map(|n| (n, output.colors[0][n as usize].map(Some)))
            .collect(),
        killed: output.killed & 1 != 0,
    }
}

/// What is expected, with how far off it may be; `None` where that is too far to tell.
struct Expected {
    values: BTreeMap<u32, [Option<(f32, f32)>; 4]>,
    killed: bool,
}

fn expected(
    program: &Program,
    inputs: &Inputs,
    pictures: &BTreeMap<usize, Picture>,
) -> Option<Expected> {
    let plain = run(program, inputs, pictures);
    let others: Vec<_> = (1..=RUNS)
        .map(|seed| run(program, &jittered(inputs, seed), pictures))
        .collect();
    if others.iter().any(|other| other.killed != plain.killed) {
        return None;
    }
    let mut values = BTreeMap::new();
    for (&location, value) in &plain.values {
        let mut want = [None; 4];
        for component in 0..4 {
            let Some(x) = value[component] else { continue };
            let spread = others.iter().map(|other| {
                let y = other.values[&location][component].unwrap_or(x);
                if wild(x) && wild(y) {
                    0.0
                } else {
                    (x - y).abs()
                }
            });
            let spread = spread.fold(0.0, |a: f32, b| if b > a || b.is_nan() { b } else { a });
            let size = x.abs().max(1.0);
            if spread <= UNSTABLE * size {
                want[component] = Some((x, BASE * size + SPREAD * spread));
            }
        }
        values.insert(location, want);
    }
    Some(Expected {
        values,
        killed: plain.killed,
    })
}

/// Beyond this, overflow and NaN are a matter of rounding.
fn wild(x: f32) -> bool {
    !x.is_finite() || x.abs() > 1e6
}

fn agree(got: f32, (want, within): (f32, f32)) -> bool {
    // Compilers take x - x for 0 and the like, so a NaN need not come about.
    want.is_nan() || wild(got) && wild(want) || (got - want).abs() <= within
}

/// Compared components, and those too unstable to compare.
#[derive(Default)]
struct Tally {
    compared: usize,
    unstable: usize,
}

fn compare(rig: &Rig, code: &ShaderCode, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let options = ninefold_shader::Options::default();
    let mut translation = translate(code, &options).map_err(|error| error.to_string())?;
    let inputs = inputs(code.version(), seed);
    let mut pictures = BTreeMap::new();
    for used in &translation.reflection.samplers {
        let kind = match used.kind {
            SamplerKind::Unknown => SamplerKind::D2,
            kind => kind,
        };
        pictures.insert(usize::from(used.register), Picture::Plain(kind));
    }
    let options = Options {
        denormals: Denormals::Flush,
        ..Options::default()
    };
    let program = Program::compile(code, &options);
    let Some(expected) = expected(&program, &inputs, &pictures) else {
        tally.unstable += 4;
        return Ok(());
    };
    if program.stage() == Stage::Vertex {
        expose_position(&mut translation);
    }
    // A declared output that nothing writes is no varying.
    let written = translation.reflection.outputs_mask | 1 << POSITION_AT;
    let is_vertex = program.stage() == Stage::Vertex;
    let locations = expected.values.keys().copied();
    let locations: Vec<u32> = locations
        .filter(|location| !is_vertex || written >> location & 1 != 0)
        .collect();
    let chunks: Vec<&[u32]> = match program.stage() {
        Stage::Vertex => locations.chunks(8).collect(),
        Stage::Pixel => vec![&locations[..]],
    };
    for chunk in chunks {
        let values = draw(rig, &translation, chunk, &pictures, &inputs)?;
        for (place, location) in chunk.iter().enumerate() {
            let got = match program.stage() {
                Stage::Vertex => values[place],
                Stage::Pixel => values[*location as usize],
            };
            let want = match expected.killed {
                true => [Some((UNTOUCHED, 0.0)); 4],
                false => expected.values[location],
            };
            let good =
                |(&got, want): (&f32, Option<(f32, f32)>)| want.is_none_or(|want| agree(got, want));
            if !got.iter().zip(want).all(good) {
                return Err(format!(
                    "output {location} is {got:?}, expected (with tolerance) {want:?}"
                ));
            }
            let compared = want.iter().flatten().count();
            tally.compared += compared;
            tally.unstable += 4 - compared;
        }
    }
    Ok(())
}

fn draw(
    rig: &Rig,
    translation: &Translation,
    locations: &[u32],
    pictures: &BTreeMap<usize, Picture>,
    inputs: &Inputs,
) -> Result<Vec<[f32; 4]>, String> {
    rig.prepare(translation, locations, pictures, inputs)
        .and_then(|mut ready| ready.run(inputs))
        .map_err(|error| error.to_string())
}

/// Sets of inputs tried for each shader: 1, or what `NINEFOLD_TRIES` asks for.
fn tries() -> u64 {
    let tries = std::env::var("NINEFOLD_TRIES").ok();
    tries.and_then(|tries| tries.parse().ok()).unwrap_or(1)
}

fn report(what: &str, count: u64, tally: &Tally, failures: &[String]) {
    println!(
        "{count} runs of {what}: {} components compared, {} too unstable",
        tally.compared, tally.unstable
    );
    for failure in failures.iter().take(20) {
        println!("{failure}");
    }
    assert!(
        failures.is_empty(),
        "{} runs disagree, the first are above",
        failures.len()
    );
}

#[test]
fn random_programs_agree() {
    let Some(rig) = Rig::open() else { return };
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    let count = PROGRAMS * tries();
    for seed in 0..count {
        let text = programs::random(&mut Numbers(0xA076_1D64_78BD_642F ^ (seed << 8 | 1)));
        let code = assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        if let Err(message) = compare(&rig, &code, seed, &mut tally) {
            failures.push(format!("{text}\nprogram {seed}: {message}\n"));
        }
    }
    report("random programs", count, &tally, &failures);
    assert!(tally.compared > 4 * tally.unstable);
}

/// Every real shader ends within the limit, in groups and alone.
#[test]
fn real_shaders_run() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    let mut machine = Machine::new();
    let mut texture = |fetch: &Fetch| plain_color(fetch.sampler.into());
    for path in common::streams(&folder) {
        let bytes = std::fs::read(&path).expect("the stream can be read");
        let code = ShaderCode::from_bytes(&bytes).expect("the stream reads");
        let program = Program::compile(&code, &Options::default());
        let constants = Constants {
            floats: &[[0.5; 4]; 96],
            ints: &[[4, 0, 1, 0]; 16],
            ..Constants::default()
        };
        let ended = match program.stage() {
            Stage::Vertex => {
                let mut outputs = [Default::default(); 9];
                let inputs = [[[0.25; 4]; 16]; 9];
                program.run_vertices(
                    &mut machine,
                    &inputs,
                    &mut outputs,
                    &constants,
                    &mut texture,
                )
            }
            Stage::Pixel => program
                .run_quad(
                    &mut machine,
                    &QuadInput::default(),
                    &constants,
                    &mut texture,
                )
                .map(drop),
        };
        ended.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn real_shaders_agree() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    let Some(rig) = Rig::open() else { return };
    let only = std::env::var("NINEFOLD_CASE").unwrap_or_default();
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    let mut count = 0;
    for path in common::streams(&folder) {
        let name = path
            .strip_prefix(&folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        if !name.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(&path).expect("the stream can be read");
        let code = ShaderCode::from_bytes(&bytes).expect("the stream reads");
        for seed in 0..tries() {
            count += 1;
            if let Err(message) = compare(&rig, &code, seed, &mut tally) {
                failures.push(format!("{name} ({seed}): {message}"));
            }
        }
    }
    report("real shaders", count, &tally, &failures);
    assert!(!only.is_empty() || tally.compared > 4 * tally.unstable);
}
