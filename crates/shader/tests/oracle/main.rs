//! Every real shader runs on the GPU and in a plain interpreter with the same random
//! inputs, and both must agree.

#[allow(dead_code)]
#[path = "../run_cases/case.rs"]
mod case;
#[path = "../common/mod.rs"]
mod common;
mod interpreter;
mod programs;
#[allow(dead_code)]
#[path = "../run_cases/rig.rs"]
mod rig;

use case::{Inputs, Picture};
use interpreter::{Outcome, World};
use naga::{Binding, BuiltIn, Expression, Literal, Span, Statement, StructMember, Type, TypeInner};
use ninefold_bytecode::{Payload, RegisterKind, ShaderCode, assemble};
use ninefold_shader::{Options, SamplerKind, Stage, Translation, Usage, abi, translate};
use rig::{Rig, UNTOUCHED, plain_color};
use std::collections::BTreeMap;

/// Location that carries the position to the fragment stage, free in every real shader.
const POSITION_AT: u32 = 30;
/// Random programs tried.
const PROGRAMS: u64 = 150;

/// Sets of inputs tried for each shader: 1, or what `NINEFOLD_TRIES` asks for.
fn tries() -> u64 {
    std::env::var("NINEFOLD_TRIES")
        .ok()
        .and_then(|tries| tries.parse().ok())
        .unwrap_or(1)
}

/// D3D9's clamp to 0 to 1: NaN becomes 0.
fn saturate(value: f32) -> f32 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

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

/// Moves the position of a vertex function into a varying and puts the point on the pixel.
fn expose_position(translation: &mut Translation) {
    let module = &mut translation.module;
    let function = &mut module.entry_points[0].function;
    let result = function
        .result
        .take()
        .expect("a vertex function has a result");
    let (mut members, components) = match &module.types[result.ty].inner {
        TypeInner::Struct { members, .. } => {
            let value = function
                .body
                .iter()
                .rev()
                .find_map(|statement| match statement {
                    Statement::Return { value } => *value,
                    _ => None,
                })
                .expect("it returns");
            let Expression::Compose { components, .. } = &function.expressions[value] else {
                panic!("the result is composed");
            };
            (members.clone(), components.clone())
        }
        _ => {
            let value = match function.body.last() {
                Some(Statement::Return { value: Some(value) }) => *value,
                _ => panic!("it returns"),
            };
            let member = StructMember {
                name: Some("position".into()),
                ty: result.ty,
                binding: result.binding.clone(),
                offset: 0,
            };
            (vec![member], vec![value])
        }
    };
    let vec4 = members[0].ty;
    members[0].binding = Some(Binding::Location {
        location: POSITION_AT,
        interpolation: Some(naga::Interpolation::Perspective),
        sampling: Some(naga::Sampling::Center),
        blend_src: None,
        per_primitive: false,
    });
    let offset = 32 * members.len() as u32;
    members.push(StructMember {
        name: Some("centre".into()),
        ty: vec4,
        binding: Some(Binding::BuiltIn(BuiltIn::Position { invariant: false })),
        offset,
    });
    let inner = TypeInner::Struct {
        members,
        span: offset + 32,
    };
    let ty = module.types.insert(
        Type {
            name: Some("Exposed".into()),
            inner,
        },
        Span::UNDEFINED,
    );
    let mut body: Vec<Statement> = function.body.to_vec();
    body.pop();
    let mut append = |expression| function.expressions.append(expression, Span::UNDEFINED);
    let numbers = [0.0, 0.0, 0.5, 1.0];
    let literals = numbers.map(|number| append(Expression::Literal(Literal::F32(number))));
    let centre = append(Expression::Compose {
        ty: vec4,
        components: literals.to_vec(),
    });
    let mut all = components;
    all.push(centre);
    let value = append(Expression::Compose {
        ty,
        components: all,
    });
    let range = naga::Range::new_from_bounds(centre, value);
    body.push(Statement::Emit(range));
    body.push(Statement::Return { value: Some(value) });
    function.body = naga::Block::from_vec(body);
    function.result = Some(naga::FunctionResult { ty, binding: None });
}

/// Random inputs, for both sides.
fn inputs(code: &ShaderCode, translation: &Translation, seed: u64) -> (Inputs, World) {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0xD134_2543_DE82_EF95));
    let mut inputs = Inputs::default();
    let mut world = World::default();
    let count = if code.version().is_vertex() { 256 } else { 224 };
    for register in 0..count {
        let value = numbers.vector();
        inputs.constants.insert(register, value);
        world.constants.push(value);
    }
    for register in 0..16 {
        let value = [
            1 + (numbers.next() % 4) as i32,
            (numbers.next() % 3) as i32,
            1,
            0,
        ];
        inputs.ints.insert(register, value);
        world.ints[register] = value;
    }
    inputs.bools = numbers.next() as u32 & 0xFFFF;
    world.bools = inputs.bools;
    for sampler in 0..16 {
        world.textures[sampler] = plain_color(sampler);
    }
    if translation.reflection.stage == Stage::Vertex {
        for register in 0..16 {
            let value = numbers.vector();
            inputs.v.insert(register, value);
            world.inputs[register] = value;
        }
        return (inputs, world);
    }
    let by_location: BTreeMap<u32, [f32; 4]> = (0..abi::VARYING_COUNT)
        .map(|location| (location, numbers.vector()))
        .collect();
    if code.version().major < 3 {
        for register in 0..2 {
            world.inputs[register] = by_location[&(register as u32)].map(f32::abs);
            inputs
                .varyings
                .insert(register as u32, world.inputs[register]);
        }
        for set in 0..8 {
            world.coordinates[set] = by_location[&(2 + set as u32)];
            inputs
                .varyings
                .insert(2 + set as u32, world.coordinates[set]);
        }
        return (inputs, world);
    }
    for instruction in code.instructions() {
        let (Some(dst), Payload::Dcl(dcl)) = (instruction.dst, instruction.payload) else {
            continue;
        };
        let location = abi::varying_location(dcl.usage, dcl.usage_index);
        if let (RegisterKind::Input, Some(location)) = (dst.register.kind, location) {
            for component in dst.mask.components() {
                world.inputs[usize::from(dst.register.index)][component] =
                    by_location[&location][component];
            }
        }
    }
    inputs.varyings = by_location;
    (inputs, world)
}

/// What the interpreter says must lie in each varying of a vertex function.
fn vertex_expectations(code: &ShaderCode, outcome: &Outcome) -> BTreeMap<u32, [Option<f32>; 4]> {
    let mut expected = BTreeMap::new();
    let register = |kind, index| outcome.registers.get(&(kind, index)).copied();
    if code.version().major < 3 {
        let mut expect = |location, kind, index, clamp: bool| {
            if let Some(value) = register(kind, index) {
                let value = value.map(|v| Some(if clamp { saturate(v) } else { v }));
                expected.insert(location, value);
            }
        };
        expect(POSITION_AT, RegisterKind::RastOut, 0, false);
        for index in 0..8 {
            expect(
                2 + u32::from(index),
                RegisterKind::TexCoordOut,
                index,
                false,
            );
        }
        for index in 0..2 {
            expect(u32::from(index), RegisterKind::AttrOut, index, true);
        }
        if let Some(value) = register(RegisterKind::RastOut, 1) {
            expected.insert(10, [Some(saturate(value[0])); 4]);
        }
        // What oD0 does not write is white.
        let wrote_all = |kind, index: u16| {
            let masks = code.instructions().filter_map(|instruction| {
                let dst = instruction.dst?;
                ((dst.register.kind, dst.register.index) == (kind, index)).then(|| dst.mask.bits())
            });
            masks.fold(0, |all, mask| all | mask)
        };
        if let Some(value) = expected.get_mut(&0) {
            let mask = wrote_all(RegisterKind::AttrOut, 0);
            for (component, value) in value.iter_mut().enumerate() {
                if mask >> component & 1 == 0 {
                    *value = Some(1.0);
                }
            }
        }
        return expected;
    }
    for instruction in code.instructions() {
        let (Some(dst), Payload::Dcl(dcl)) = (instruction.dst, instruction.payload) else {
            continue;
        };
        if dst.register.kind != RegisterKind::Output {
            continue;
        }
        let location = match (dcl.usage, dcl.usage_index) {
            (Usage::Position, 0) => Some(POSITION_AT),
            (Usage::PSize, _) | (Usage::Fog, _) => None,
            (usage, index) => abi::varying_location(usage, index),
        };
        let value = register(RegisterKind::Output, dst.register.index);
        if let (Some(location), Some(value)) = (location, value) {
            let slot = expected.entry(location).or_insert([None; 4]);
            for component in dst.mask.components() {
                slot[component] = Some(value[component]);
            }
        }
    }
    expected
}

fn agree(got: f32, want: f32) -> bool {
    // Beyond this, overflow and NaN are a matter of rounding.
    let wild = |v: f32| !v.is_finite() || v.abs() > 1e6;
    wild(got) && wild(want) || (got - want).abs() <= 4e-3 * want.abs().max(1.0)
}

enum Verdict {
    Agrees,
    CloseCall,
    LeftOut,
}

fn compare(rig: &Rig, code: &ShaderCode, seed: u64) -> Result<Verdict, String> {
    let mut translation =
        translate(code, &Options::default()).map_err(|error| error.to_string())?;
    let (inputs, world) = inputs(code, &translation, seed);
    let Some(outcome) = interpreter::run(code, &world) else {
        return Ok(Verdict::LeftOut);
    };
    if outcome.close_call {
        return Ok(Verdict::CloseCall);
    }
    let mut pictures = BTreeMap::new();
    for used in &translation.reflection.samplers {
        let kind = match used.kind {
            SamplerKind::Unknown => SamplerKind::D2,
            kind => kind,
        };
        pictures.insert(usize::from(used.register), Picture::Plain(kind));
    }
    let stage = translation.reflection.stage;
    let expected = match stage {
        Stage::Vertex => {
            expose_position(&mut translation);
            vertex_expectations(code, &outcome)
        }
        Stage::Pixel => {
            let kind = match code.version().major {
                1 => RegisterKind::Temp,
                _ => RegisterKind::ColorOut,
            };
            let colors = if code.version().major == 1 { 1 } else { 4 };
            (0..colors)
                .filter_map(|index| {
                    let value = outcome.registers.get(&(kind, index))?;
                    Some((u32::from(index), value.map(Some)))
                })
                .collect()
        }
    };
    let locations: Vec<u32> = expected.keys().copied().collect();
    let chunks: Vec<&[u32]> = match stage {
        Stage::Vertex => locations.chunks(8).collect(),
        Stage::Pixel => vec![&locations[..]],
    };
    for chunk in chunks {
        let run = || {
            rig.prepare(&translation, chunk, &pictures, &inputs)?
                .run(&inputs)
        };
        let values = run().map_err(|error| error.to_string())?;
        for (place, location) in chunk.iter().enumerate() {
            let target = match stage {
                Stage::Vertex => place,
                Stage::Pixel => *location as usize,
            };
            let got = values[target];
            let want = match outcome.killed {
                true => [Some(UNTOUCHED); 4],
                false => expected[location],
            };
            let good = got
                .iter()
                .zip(want)
                .all(|(&got, w)| w.is_none_or(|w| agree(got, w)));
            if !good {
                return Err(format!("output {location} is {got:?}, expected {want:?}"));
            }
        }
    }
    Ok(Verdict::Agrees)
}

#[test]
fn random_programs_compute_what_the_interpreter_computes() {
    let Some(rig) = Rig::open() else { return };
    let (mut agreed, mut close, mut left_out, mut refused) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for seed in 0..PROGRAMS * tries() {
        let text = programs::random(&mut Numbers(0xA076_1D64_78BD_642F ^ (seed << 8 | 1)));
        let code = match assemble(&text) {
            Ok(code) => code,
            Err(error) => {
                refused += 1;
                eprintln!("{error}\n{text}");
                continue;
            }
        };
        match compare(&rig, &code, seed) {
            Ok(Verdict::Agrees) => agreed += 1,
            Ok(Verdict::CloseCall) => close += 1,
            Ok(Verdict::LeftOut) => left_out += 1,
            Err(message) => failures.push(format!("{text}\nprogram {seed}: {message}\n")),
        }
    }
    println!("{agreed} agree, {close} close calls, {left_out} left out, {refused} not assembled");
    for failure in failures.iter().take(10) {
        println!("{failure}");
    }
    assert!(
        failures.is_empty(),
        "{} programs disagree, the first are above",
        failures.len()
    );
    assert!(refused == 0 && agreed > PROGRAMS / 2);
}

#[test]
fn real_shaders_compute_what_the_interpreter_computes() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    let Some(rig) = Rig::open() else { return };
    let only = std::env::var("NINEFOLD_CASE").unwrap_or_default();
    let (mut agreed, mut close, mut left_out) = (0, 0, 0);
    let mut failures = Vec::new();
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
            match compare(&rig, &code, seed) {
                Ok(Verdict::Agrees) => agreed += 1,
                Ok(Verdict::CloseCall) => close += 1,
                Ok(Verdict::LeftOut) => left_out += 1,
                Err(message) => failures.push(format!("{name} ({seed}): {message}")),
            }
        }
    }
    println!("{agreed} runs agree, {close} too close to call, {left_out} left out");
    for failure in failures.iter().take(40) {
        println!("{failure}");
    }
    assert!(
        failures.is_empty(),
        "{} runs disagree, the first are above",
        failures.len()
    );
    assert!(!only.is_empty() || agreed > 900, "only {agreed} runs agree");
}
