//! Where the time goes from tokens to the text of each target, over the real streams.
//!
//! Every figure is the fastest of several runs of one shader. `lower` is what is left of the
//! translation without naga's validator, which is also timed alone on the finished module.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use ninefold_bytecode::ShaderCode;
use ninefold_shader::{Options, Translation, translate, writers};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Each figure is the fastest of this many runs of one shader.
const RUNS: usize = 15;

fn fastest<T>(mut run: impl FnMut() -> T) -> Duration {
    (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// One row of the table.
struct Row {
    name: &'static str,
    times: Vec<Duration>,
}

impl Row {
    fn new(name: &'static str) -> Self {
        let times = Vec::new();
        Self { name, times }
    }

    fn total(&self) -> Duration {
        self.times.iter().sum()
    }

    fn print(&mut self, baseline: Duration) {
        self.times.sort();
        let total = self.total();
        let count = self.times.len().max(1);
        let median = self.times.get(count / 2).copied().unwrap_or_default();
        println!(
            "{:<30} {:>9.2} {:>9.2} {:>9.2} {:>8.1}x",
            self.name,
            median.as_secs_f64() * 1e6,
            total.as_secs_f64() * 1e6 / count as f64,
            total.as_secs_f64() * 1e3,
            total.as_secs_f64() / baseline.as_secs_f64().max(1e-12),
        );
    }
}

/// Every stream below the shared corpus.
fn streams() -> Vec<Vec<u8>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let mut streams = Vec::new();
    let mut folders = vec![Path::new(root).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "bin") {
                streams.extend(std::fs::read(path));
            }
        }
    }
    streams
}

/// Expressions of all functions of a module.
fn expressions(translation: &Translation) -> usize {
    let module = &translation.module;
    let helpers = module.functions.iter().map(|(_, f)| f.expressions.len());
    let entries = module
        .entry_points
        .iter()
        .map(|e| e.function.expressions.len());
    helpers.chain(entries).sum()
}

fn main() {
    let streams = streams();
    if streams.is_empty() {
        println!("skipped: no streams in ../shared/corpus");
        return;
    }
    let options = Options::default();
    let names = [
        "decode (baseline)",
        "lower",
        "validate",
        "write SPIR-V",
        "write MSL",
        "write WGSL",
        "write HLSL",
        "write GLSL",
        "tokens to module, validated",
        "tokens to SPIR-V",
        "tokens to MSL",
    ];
    let mut rows = names.map(Row::new);
    let (mut instructions, mut written) = (0, 0);
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::CLIP_DISTANCES);
    for bytes in &streams {
        let Ok(code) = ShaderCode::from_bytes(bytes) else {
            continue;
        };
        let Ok(translation) = translate(&code, &options) else {
            continue;
        };
        instructions += code.instructions().count();
        written += expressions(&translation);
        let whole = |write: &dyn Fn(&Translation)| {
            fastest(|| {
                let code = ShaderCode::from_bytes(bytes).expect("it was read before");
                let translation = translate(&code, &options).expect("it translated before");
                write(&translation);
                translation
            })
        };
        let translated = fastest(|| translate(&code, &options));
        let validated = fastest(|| validator.validate(&translation.module).is_ok());
        let times = [
            fastest(|| ShaderCode::from_bytes(bytes)),
            translated.saturating_sub(validated),
            validated,
            fastest(|| writers::spirv(&translation)),
            fastest(|| writers::msl(&translation)),
            fastest(|| writers::wgsl(&translation)),
            fastest(|| writers::hlsl(&translation)),
            fastest(|| writers::glsl(&translation)),
            whole(&|_| ()),
            whole(&|translation| drop(black_box(writers::spirv(translation)))),
            whole(&|translation| drop(black_box(writers::msl(translation)))),
        ];
        for (row, time) in rows.iter_mut().zip(times) {
            row.times.push(time);
        }
    }
    println!(
        "{} shaders; fastest of {RUNS} runs each; microseconds per shader",
        rows[0].times.len()
    );
    println!(
        "{} instructions, {written} expressions: {:.2} expressions per instruction",
        instructions,
        written as f64 / instructions as f64,
    );
    println!(
        "{:<30} {:>9} {:>9} {:>9} {:>9}",
        "", "median", "mean", "total ms", "ratio"
    );
    let baseline = rows[0].total();
    for row in &mut rows {
        row.print(baseline);
    }
}
