//! Every arithmetic instruction on its own, on chosen and random numbers.
//!
//! The tolerances, in the relative size of the result (absolute below 1):
//!
//! | instructions | tolerance |
//! |---|---|
//! | `mov add sub mul min max slt sge abs frc sgn cmp dst` | none |
//! | `mad lrp dp3 dp4 dp2add m*x* crs` | [`FUSED`] of the largest product: a compiler may fuse |
//! | `rcp` | [`RCP`] |
//! | `rsq nrm` | [`RSQ`] |
//! | `exp expp log logp` | [`POWER`] |
//! | `pow lit` | [`POWER`] times the exponent's size |
//! | `sincos` | [`SINE`], absolute, up to 16 |
//!
//! NaN goes where it must propagate; instructions that choose (`min`, `max`, `cmp`,
//! `slt`, `sge`, `sgn`, `_sat`) are not given any, for no GPU promises what they do.

use crate::numbers::Numbers;
use crate::rig::{Batch, POINTS, Rig, Shape, run_on_cpu};
use crate::{close, equal};
use ninefold_bytecode::assemble;

/// Fused products: half a step of each product.
const FUSED: f32 = 4e-7;
const RCP: f32 = 2e-7;
const RSQ: f32 = 4e-7;
const POWER: f32 = 2e-6;
const SINE: f32 = 2e-6;

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// Numbers at the edges, denormals among them.
const EDGES: [f32; 14] = [
    0.0, -0.0, 1.0, -1.0, 0.5, -2.5, INF, -INF, 1e-40, -1e-40, 3e38, -3e38, 1e-30, 16.0,
];

/// How close two results must be, given the inputs of the point.
type Tolerance = fn(&[[f32; 4]; 5]) -> f32;

struct Entry {
    text: &'static str,
    /// Written components.
    mask: u8,
    nan: bool,
    edges: bool,
    within: Tolerance,
}

const fn exact(text: &'static str) -> Entry {
    Entry {
        text,
        mask: 0xF,
        nan: false,
        edges: true,
        within: |_| 0.0,
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

    const fn no_edges(mut self) -> Self {
        self.edges = false;
        self
    }
}

/// The error that fusing may make, of the largest product of any two inputs.
fn fused(point: &[[f32; 4]; 5]) -> f32 {
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
    exact("frc r0, v0").no_edges(),
    function("mad r0, v0, v1, v2", fused).no_edges(),
    function("lrp r0, v0, v1, v2", fused).no_edges(),
    function("dp3 r0, v0, v1", fused).no_edges(),
    function("dp4 r0, v0, v1", fused).no_edges(),
    function("m4x4 r0, v0, c0", |_| 1e-3).no_edges(),
    function("m3x3 r0.xyz, v0, c4", |_| 1e-3).mask(7).no_edges(),
    function("crs r0.xyz, v0, v1", fused).mask(7).no_edges(),
    function("rcp r0, v0.x", |_| RCP),
    function("rcp r0, v0.w", |_| RCP),
    function("rsq r0, v0.x", |_| RSQ),
    function("exp r0, v0.y", |_| POWER).no_edges(),
    function("log r0, v0.x", |_| POWER),
    function("nrm r0, v0", |_| RSQ).no_edges(),
    function("pow r0, v0.x, v1.x", |p| {
        POWER * p[1][0].abs().max(1.0) * (1.0 + p[0][0].abs().max(1e-30).log2().abs())
    })
    .no_edges(),
    function("sincos r0.xy, v0.x", |_| SINE).mask(3).no_edges(),
];

const VERTEX: &[Entry] = &[
    exact("slt r0, v0, v1"),
    exact("sge r0, v0, v1"),
    exact("sgn r0, v0"),
    function("dst r0, v0, v1", |_| 0.0).nan(),
    function("lit r0, v0", |p| {
        POWER * p[0][3].abs().max(1.0) * (1.0 + p[0][1].abs().max(1e-30).log2().abs())
    })
    .no_edges(),
    function("expp r0, v0.y", |_| POWER).no_edges(),
    function("logp r0, v0.y", |_| POWER).no_edges(),
];

const PIXEL: &[Entry] = &[
    exact("cmp r0, v0, v1, v2"),
    function("dp2add r0, v0, v1, v2.x", fused).no_edges(),
];

/// The parts that only vs_1_x has.
const VERTEX_1: &[Entry] = &[
    function("expp r0, v0.y", |_| POWER).no_edges(),
    function("logp r0, v0.y", |_| POWER).no_edges(),
];

fn vertex_program(entry: &Entry) -> String {
    format!(
        "vs_3_0\ndcl_position v5\ndcl_texcoord0 v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\n\
         dcl_texcoord0 o0\ndcl_texcoord1 o1\ndcl_texcoord2 o2\ndcl_texcoord3 o3\n\
         dcl_position o4\nmov o4, v5\nmov o1, c0\nmov o2, c0\nmov o3, c0\n{}\nmov o0, r0\n",
        entry.text
    )
}

fn vertex_1_program(entry: &Entry) -> String {
    format!(
        "vs_1_1\ndcl_position v5\ndcl_texcoord0 v0\n\
         mov oPos, v5\nmov oT1, c0\nmov oT2, c0\nmov oT3, c0\n{}\nmov oT0, r0\n",
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
        0 if entry.nan && numbers.one_in(4) => NAN,
        0 | 1 if entry.edges => EDGES[numbers.below(EDGES.len())],
        0 => numbers.below(9) as f32 - 4.0,
        _ => numbers.next() as f32 / (1u64 << 27) as f32 - 16.0,
    };
    let mut vector = || [(); 4].map(|()| number());
    let points = (0..POINTS).map(|_| [(); 5].map(|()| vector())).collect();
    let mut constants = vec![[0.0; 4]; 256];
    for (n, constant) in constants.iter_mut().enumerate().take(8) {
        *constant = [0, 1, 2, 3].map(|i| (n * 4 + i) as f32 * 0.3125 - 4.7);
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
    for _ in 0..8 {
        let batch = batch(&mut numbers, entry);
        let cpu = run_on_cpu(&code, &batch).expect("it ends");
        let gpu = rig.run(&code, &batch).expect("it translates");
        for ((point, cpu), gpu) in batch.points.iter().zip(&cpu).zip(&gpu) {
            let within = (entry.within)(point);
            let wrong = (0..4).find(|&i| {
                let (cpu, gpu) = (cpu[0][i], gpu[0][i]);
                let good = if within == 0.0 {
                    equal(cpu, gpu)
                } else {
                    close(cpu, gpu, within)
                };
                entry.mask >> i & 1 != 0 && !good
            });
            if let Some(i) = wrong {
                failures.push(format!(
                    "{}.{} {}: cpu {:?}, gpu {:?}, within {within:e}\n    of {:?}",
                    text.split('\n').next().unwrap_or(""),
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
}

#[test]
fn every_instruction() {
    let Some(rig) = Rig::open() else { return };
    let mut failures = Vec::new();
    for entry in BOTH.iter().chain(VERTEX) {
        run(&rig, entry, &vertex_program(entry), &mut failures);
    }
    for entry in BOTH.iter().chain(PIXEL) {
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
