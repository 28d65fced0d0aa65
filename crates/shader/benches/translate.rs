//! Time to decode, lower and validate, and write each real shader, next to decoding alone.

use ninefold_bytecode::ShaderCode;
use ninefold_shader::{Options, translate, writers};
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

struct Column {
    name: &'static str,
    times: Vec<Duration>,
}

impl Column {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            times: Vec::new(),
        }
    }

    fn print(&mut self, baseline: Duration) {
        self.times.sort();
        let total: Duration = self.times.iter().sum();
        let count = self.times.len().max(1);
        let median = self.times.get(count / 2).copied().unwrap_or_default();
        println!(
            "{:<28} {:>9.2} {:>9.2} {:>9.2} {:>8.1}x",
            self.name,
            median.as_secs_f64() * 1e6,
            total.as_secs_f64() * 1e6 / count as f64,
            total.as_secs_f64() * 1e3,
            total.as_secs_f64() / baseline.as_secs_f64().max(1e-12),
        );
    }
}

fn main() {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/corpus"
    ));
    let mut streams = Vec::new();
    let mut folders = vec![folder.to_owned()];
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
    if streams.is_empty() {
        println!("skipped: no streams in {}", folder.display());
        return;
    }
    let options = Options::default();
    let mut decode = Column::new("decode (baseline)");
    let mut lower = Column::new("lower + naga validate");
    let mut whole = Column::new("decode + lower + validate");
    let mut spirv = Column::new("write SPIR-V");
    let mut msl = Column::new("write MSL");
    for bytes in &streams {
        let Ok(code) = ShaderCode::from_bytes(bytes) else {
            continue;
        };
        let Ok(translation) = translate(&code, &options) else {
            continue;
        };
        decode.times.push(fastest(|| ShaderCode::from_bytes(bytes)));
        lower.times.push(fastest(|| translate(&code, &options)));
        whole.times.push(fastest(|| {
            ShaderCode::from_bytes(bytes).map(|code| translate(&code, &options))
        }));
        spirv.times.push(fastest(|| writers::spirv(&translation)));
        msl.times.push(fastest(|| writers::msl(&translation)));
    }
    println!(
        "{} shaders; fastest of {RUNS} runs each; microseconds per shader",
        decode.times.len()
    );
    println!(
        "{:<28} {:>9} {:>9} {:>9} {:>9}",
        "", "median", "mean", "total ms", "ratio"
    );
    let baseline: Duration = decode.times.iter().sum();
    for column in [&mut decode, &mut lower, &mut whole, &mut spirv, &mut msl] {
        column.print(baseline);
    }
}
