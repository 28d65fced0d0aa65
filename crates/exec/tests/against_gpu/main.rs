//! The CPU against the GPU: every arithmetic instruction on chosen and random
//! numbers, and random programs, through this crate and through the translator on
//! a device.
//!
//! The random programs compute with numbers that stay exact (see [`generate`]), so
//! their results must be equal, whatever order or fusing a compiler chooses. The
//! sign of zero may differ, and a NaN is a NaN. Results of functions that are not
//! exact have the tolerance [`opcodes`] states for them.

mod forms;
mod generate;
mod numbers;
mod opcodes;
mod pixel_1;
mod rig;
mod texture;

use generate::Sample;
use ninefold_bytecode::assemble;
use numbers::Numbers;
use rig::{Batch, POINTS, Rig, Shape, Values, run_on_cpu};

/// What keeps two results apart, if anything does.
fn difference(cpu: &Values, gpu: &Values, loose: &[[bool; 4]; 4]) -> Option<String> {
    for (point, (cpu, gpu)) in cpu.iter().zip(gpu).enumerate() {
        for (n, (cpu, gpu)) in cpu.iter().zip(gpu).enumerate() {
            let same = (0..4).all(|i| match loose[n][i] {
                false => equal(cpu[i], gpu[i]),
                true => close(cpu[i], gpu[i], LOOSE, 1.0),
            });
            if !same {
                return Some(format!(
                    "point {point}, output {n}: cpu {cpu:?}, gpu {gpu:?}, loose {:?}",
                    loose[n]
                ));
            }
        }
    }
    None
}

/// Relative difference allowed to functions that are not exact, in random programs;
/// and absolute below 1.
const LOOSE: f32 = 1e-5;

fn equal(a: f32, b: f32) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// Whether two numbers are within a part of their size, or of `least` if that is more.
fn close(a: f32, b: f32, within: f32, least: f32) -> bool {
    equal(a, b) || (a - b).abs() <= within * a.abs().max(least)
}

/// Numbers for the programs' inputs: multiples of 1/16 up to 16, many of them small.
fn batch(numbers: &mut Numbers, unit: bool) -> Batch {
    let mut value = |_: usize| match unit {
        true => numbers.below(33) as f32 / 16.0 - 1.0,
        false => match numbers.below(4) {
            0 => numbers.below(5) as f32 - 2.0,
            _ => numbers.below(513) as f32 / 16.0 - 16.0,
        },
    };
    let mut vector = || [0, 1, 2, 3].map(&mut value);
    let mut constants: Vec<_> = (0..256).map(|_| vector()).collect();
    constants[generate::HELPER] = generate::HELPER_VALUE;
    let points = (0..POINTS)
        .map(|_| [0; rig::INPUTS].map(|_| vector()))
        .collect();
    let bump = [0; 8].map(|_| vector());
    let mut ints = [[0; 4]; 16];
    for int in &mut ints {
        let step = numbers.below(4) as i32 - 1;
        *int = [numbers.below(4) as i32, numbers.below(8) as i32, step, 0];
    }
    Batch {
        shape: Shape::Points,
        constants,
        ints,
        bools: numbers.next() & 0xFFFF,
        bump,
        points,
    }
}

/// Runs `count` programs of a generator, from a seed on.
fn compare(what: &str, count: u64, mut make: impl FnMut(&mut Numbers) -> Sample) {
    let Some(rig) = Rig::open() else { return };
    let only = std::env::var("NINEFOLD_SEED").ok();
    let only = only.and_then(|seed| seed.parse::<u64>().ok());
    let scale = std::env::var("NINEFOLD_PROGRAMS").ok();
    let scale = scale
        .and_then(|scale| scale.parse::<u64>().ok())
        .unwrap_or(1);
    let mut failures = Vec::new();
    let mut instructions = 0;
    for seed in 1..=count * scale {
        if only.is_some_and(|only| only != seed) {
            continue;
        }
        let mut numbers = Numbers::new(seed);
        let sample = make(&mut numbers);
        let mut batch = batch(&mut numbers, sample.unit);
        batch.shape = sample.shape;
        if only.is_some() {
            println!("{}", sample.text);
        }
        let code = assemble(&sample.text)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", sample.text));
        instructions += code.instruction_count();
        let cpu = run_on_cpu(&code, &batch);
        let cpu = cpu.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", sample.text));
        let found = match rig.run(&code, &batch) {
            Ok(gpu) => difference(&cpu, &gpu, &sample.loose),
            Err(error) => Some(error),
        };
        if let Some(found) = found {
            failures.push(format!("{what} seed {seed}: {found}\n{}", sample.text));
        }
    }
    println!("{what}: {count} programs, {instructions} instructions, {POINTS} points each");
    let shown: Vec<_> = failures.iter().take(3).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{} of {count} differ\n{}",
        failures.len(),
        shown.join("\n")
    );
}

#[test]
fn random_vs_1_1() {
    compare("vs_1_1", 300, |numbers| {
        generate::program(numbers, "vs_1_1")
    });
}

#[test]
fn random_vs_2_0() {
    compare("vs_2_0", 500, |numbers| {
        generate::program(numbers, "vs_2_0")
    });
}

#[test]
fn random_vs_2_x() {
    compare("vs_2_x", 500, |numbers| {
        generate::program(numbers, "vs_2_x")
    });
}

#[test]
fn random_vs_3_0() {
    compare("vs_3_0", 600, |numbers| {
        generate::program(numbers, "vs_3_0")
    });
}

#[test]
fn random_ps_1() {
    compare("ps_1_x", 600, pixel_1::program);
}

#[test]
fn random_ps_2_0() {
    compare("ps_2_0", 300, |numbers| {
        generate::program(numbers, "ps_2_0")
    });
}

#[test]
fn random_ps_2_x() {
    compare("ps_2_x", 500, |numbers| {
        generate::program(numbers, "ps_2_x")
    });
}

#[test]
fn random_ps_3_0() {
    compare("ps_3_0", 700, |numbers| {
        generate::program(numbers, "ps_3_0")
    });
}
