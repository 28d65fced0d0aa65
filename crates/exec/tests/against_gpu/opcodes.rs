//! Every arithmetic instruction on its own, on chosen and random numbers.
//!
//! The tolerances, of the size of the result; one step of rounding is 1.2e-7 of it:
//!
//! | instructions | tolerance |
//! |---|---|
//! | `mov add sub mul min max slt sge abs frc sgn cmp dst` | none |
//! | `mad lrp dp3 dp4 dp2add m*x* crs` | [`FUSED`] of the largest product, for a compiler may fuse; none where no result needs rounding |
//! | `rcp` | [`RCP`], one step |
//! | `rsq` | [`RSQ`], two steps |
//! | `nrm` | [`RSQ`] of 1 |
//! | `exp` | [`POWER`], five steps |
//! | `expp log logp` | [`POWER`] of 1 or the result |
//! | `pow lit` | [`POWER`] times the exponent times the logarithm, or of 1 |
//! | `sincos` | [`SINE`] of 1, for angles up to 16 |
//!
//! NaN goes where it must propagate; instructions that choose (`min`, `max`, `cmp`,
//! `slt`, `sge`, `sgn`, `_sat`) are not given any, for no GPU promises what they do.

use crate::numbers::Numbers;
use crate::rig::{Batch, INPUTS, POINTS, Rig, Shape, run_on_cpu};
use crate::{close, equal};
use ninefold_bytecode::assemble;

/// Fused products: half a step of each product.
const FUSED: f32 = 4e-7;
const RCP: f32 = 1.2e-7;
const RSQ: f32 = 2.4e-7;
const POWER: f32 = 6e-7;
const SINE: f32 = 5e-7;

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// Numbers at the edges, denormals among them.
const EDGES: [f32; 14] = [
    0.0, -0.0, 1.0, -1.0, 0.5, -2.5, INF, -INF, 1e-40, -1e-40, 3e38, -3e38, 1e-30, 16.0,
];

/// Zeros, infinities, NaN, a denormal, and numbers whose products and sums are exact.
const SPECIALS: [f32; 12] = [
    0.0, -0.0, INF, -INF, NAN, 1e-40, 1.0, -1.0, -2.0, 0.5, 4.0, 3.0,
];

/// How close two results must be, given the inputs of the point.
type Tolerance = fn(&[[f32; 4]; INPUTS]) -> f32;

/// Where the numbers come from.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    /// From -16 to 16.
    Plain,
    /// [`EDGES`] among them.
    Edges,
    /// [`SPECIALS`] alone.
    Specials,
}

struct Entry {
    text: &'static str,
    /// Written components.
    mask: u8,
    nan: bool,
    numbers: Set,
    within: Tolerance,
    /// Size below which the tolerance is absolute.
    least: f32,
}

const fn exact(text: &'static str) -> Entry {
    Entry {
        text,
        mask: 0xF,
        nan: false,
        numbers: Set::Edges,
        within: |_| 0.0,
        least: 1.0,
    }
}

const fn function(text: &'static str, within: Tolerance) -> Entry {
    Entry {
        within,
        ..exact(text)
    }
}

impl Entry {
    const fn nan(mut self) -> Self {
        self.nan = true;
        self
    }

    const fn mask(mut self, mask: u8) -> Self {
        self.mask = mask;
        self
    }

    const fn relative(mut self) -> Self {
        self.least = f32::MIN_POSITIVE;
        self
    }

    const fn plain(mut self) -> Self {
        self.numbers = Set::Plain;
        self
    }

    const fn specials(mut self) -> Self {
        self.numbers = Set::Specials;
        self
    }
}

/// The error that fusing may make, of the largest product of any two inputs.
fn fused(point: &[[f32; 4]; INPUTS]) -> f32 {
    let largest = point
        .iter()
        .take(3)
        .flatten()
        .fold(1.0f32, |m, x| m.max(x.abs()));
    FUSED * largest * largest * 4.0
}

/// Instructions of vs_3_0 and ps_3_0, with `v0`, `v1`, `v2` as inputs.
const BOTH: &[Entry] = &[
    exact("mov r0, v0").nan(),
    exact("add r0, v0, v1").nan(),
    exact("sub r0, v0, v1").nan(),
    exact("mul r0, v0, v1").nan(),
    exact("mul r0, v0, v1.x").nan(),
    exact("mul r0, -v0, v1_abs").nan(),
    exact("min r0, v0, v1"),
    exact("max r0, v0, v1"),
    exact("abs r0, v0").nan(),
    exact("mov_sat r0, v0"),
    exact("frc r0, v0").plain(),
    function("mad r0, v0, v1, v2", fused).plain(),
    function("lrp r0, v0, v1, v2", fused).plain(),
    function("dp3 r0, v0, v1", fused).plain(),
    function("dp4 r0, v0, v1", fused).plain(),
    function("m4x4 r0, v0, c0", |_| 1e-3).plain(),
    function("m3x3 r0.xyz, v0, c4", |_| 1e-3).mask(7).plain(),
    function("crs r0.xyz, v0, v1", fused).mask(7).plain(),
    function("rcp r0, v0.x", |_| RCP).relative(),
    function("rcp r0, v0.w", |_| RCP).relative(),
    function("rsq r0, v0.x", |_| RSQ).relative(),
    function("exp r0, v0.y", |_| POWER).relative().plain(),
    function("log r0, v0.x", |_| POWER),
    function("nrm r0, v0", |_| RSQ).plain(),
    function("pow r0, v0.x, v1.x", |p| {
        POWER * p[1][0].abs().max(1.0) * (1.0 + p[0][0].abs().max(1e-30).log2().abs())
    })
    .relative()
    .plain(),
    function("sincos r0.xy, v0.x", |_| SINE).mask(3).plain(),
];

const VERTEX: &[Entry] = &[
    exact("slt r0, v0, v1"),
    exact("sge r0, v0, v1"),
    exact("sgn r0, v0"),
    exact("dst r0, v0, v1").nan(),
    exact("dst r0, v0, v1").specials(),
    function("lit r0, v0", |p| {
        POWER * p[0][3].abs().max(1.0) * (1.0 + p[0][1].abs().max(1e-30).log2().abs())
    })
    .plain(),
    function("expp r0, v0.y", |_| POWER).plain(),
    function("logp r0, v0.y", |_| POWER).plain(),
];

const PIXEL: &[Entry] = &[
    exact("cmp r0, v0, v1, v2"),
    function("dp2add r0, v0, v1, v2.x", fused).plain(),
    exact("dp2add r0, v0, v1, v2.x").specials(),
];

/// Sums of products under the zero rule, exactly.
const PRODUCTS: &[Entry] = &[
    exact("mul r0, v0, v1").specials(),
    exact("mul r0, v0.x, v1").specials(),
    exact("mul r0, v0, c0").specials(),
    exact("mad r0, v0, v1, v2").specials(),
    exact("mad r0, -v0, v1_abs, -v2").specials(),
    exact("lrp r0, v0, v1, v2").specials(),
    exact("dp3 r0, v0, v1").specials(),
    exact("dp4 r0, v0, v1").specials(),
    exact("m4x4 r0, v0, c0").specials(),
    exact("m3x4 r0, v0, c0").specials(),
    exact("m4x3 r0.xyz, v0, c2").mask(7).specials(),
    exact("m3x3 r0.xyz, v0, c2").mask(7).specials(),
    exact("m3x2 r0.xy, v0, c2").mask(3).specials(),
    exact("crs r0.xyz, v0, v1").mask(7).specials(),
];

/// The parts that only vs_1_x has.
const VERTEX_1: &[Entry] = &[
    function("expp r0, v0.y", |_| POWER).plain(),
    function("logp r0, v0.y", |_| POWER).plain(),
];

fn vertex_program(entry: &Entry) -> String {
    format!(
        "vs_3_0\ndcl_position v6\ndcl_texcoord0 v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\n\
         dcl_texcoord0 o0\ndcl_texcoord1 o1\ndcl_texcoord2 o2\ndcl_texcoord3 o3\n\
         dcl_position o4\nmov o4, v6\nmov o1, c0\nmov o2, c0\nmov o3, c0\n{}\nmov o0, r0\n",
        entry.text
    )
}

fn vertex_1_program(entry: &Entry) -> String {
    format!(
        "vs_1_1\ndcl_position v6\ndcl_texcoord0 v0\n\
         mov oPos, v6\nmov oT1, c0\nmov oT2, c0\nmov oT3, c0\n{}\nmov oT0, r0\n",
        entry.text
    )
}

fn pixel_program(entry: &Entry) -> String {
    format!(
        "ps_3_0\ndcl_color0 v0\ndcl_color1 v1\ndcl_texcoord0 v2\n{}\nmov oC0, r0\n",
        entry.text
    )
}

fn batch(numbers: &mut Numbers, entry: &Entry) -> Batch {
    let mut number = || match numbers.below(4) {
        _ if entry.numbers == Set::Specials => SPECIALS[numbers.below(SPECIALS.len())],
        0 if entry.nan && numbers.one_in(4) => NAN,
        0 | 1 if entry.numbers == Set::Edges => EDGES[numbers.below(EDGES.len())],
        0 => numbers.below(9) as f32 - 4.0,
        _ => numbers.next() as f32 / (1u64 << 27) as f32 - 16.0,
    };
    let mut vector = || [(); 4].map(|()| number());
    let points = (0..POINTS)
        .map(|_| [(); INPUTS].map(|()| vector()))
        .collect();
    let mut constants = vec![[0.0; 4]; 256];
    for (n, constant) in constants.iter_mut().enumerate().take(8) {
        *constant = [0, 1, 2, 3].map(|i| (n * 4 + i) as f32 * 0.3125 - 4.75);
    }
    Batch {
        shape: Shape::Points,
        constants,
        ints: [[0; 4]; 16],
        bools: 0,
        bump: [[0.0; 4]; 8],
        points,
    }
}

fn run(rig: &Rig, entry: &Entry, text: &str, failures: &mut Vec<String>) {
    let code = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut numbers = Numbers::new(entry.text.len() as u64 * 77 + 5);
    let version = text.split('\n').next().unwrap_or("");
    let mut worst = 0.0f32;
    for _ in 0..8 {
        let batch = batch(&mut numbers, entry);
        let cpu = run_on_cpu(&code, &batch).expect("it ends");
        let gpu = rig.run(&code, &batch).expect("it translates");
        for ((point, cpu), gpu) in batch.points.iter().zip(&cpu).zip(&gpu) {
            let within = (entry.within)(point);
            let wrong = (0..4).find(|&i| {
                let (cpu, gpu) = (cpu[0][i], gpu[0][i]);
                let error = (cpu - gpu).abs() / cpu.abs().max(entry.least) / within.max(1e-30);
                if entry.mask >> i & 1 != 0 && error > worst {
                    worst = error;
                }
                let good = if within == 0.0 {
                    equal(cpu, gpu)
                } else {
                    close(cpu, gpu, within, entry.least)
                };
                entry.mask >> i & 1 != 0 && !good
            });
            if let Some(i) = wrong {
                failures.push(format!(
                    "{}.{} {}: cpu {:?}, gpu {:?}, within {within:e}\n    of {:?}",
                    version,
                    i,
                    entry.text,
                    cpu[0],
                    gpu[0],
                    &point[..3]
                ));
                return;
            }
        }
    }
    if worst > 0.0 {
        println!(
            "{version} {}: the largest error is {worst:.2} of the tolerance",
            entry.text
        );
    }
}

#[test]
fn every_instruction() {
    let Some(rig) = Rig::open() else { return };
    let mut failures = Vec::new();
    for entry in BOTH.iter().chain(PRODUCTS).chain(VERTEX) {
        run(&rig, entry, &vertex_program(entry), &mut failures);
    }
    for entry in BOTH.iter().chain(PRODUCTS).chain(PIXEL) {
        run(&rig, entry, &pixel_program(entry), &mut failures);
    }
    for entry in VERTEX_1 {
        run(&rig, entry, &vertex_1_program(entry), &mut failures);
    }
    assert!(
        failures.is_empty(),
        "{} instructions differ\n{}",
        failures.len(),
        failures.join("\n")
    );
}
