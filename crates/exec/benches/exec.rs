//! Vertices and pixels per second over the real shaders, next to a plain copy of the
//! same inputs and outputs: the floor that memory sets.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use ninefold_bytecode::{ShaderCode, Stage};
use ninefold_exec::{
    Constants, Fetch, Machine, Options, Program, QuadInput, VertexInput, VertexOutput,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Shows that runs allocate nothing.
#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

/// Vertices, or quads, that each shader runs for in one pass.
const COUNT: usize = 32;

fn streams(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "bin") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn codes() -> Vec<ShaderCode> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let paths = streams(Path::new(folder));
    if paths.is_empty() {
        eprintln!("skipped: no {folder}");
    }
    let bytes = paths.iter().filter_map(|path| std::fs::read(path).ok());
    bytes
        .filter_map(|bytes| ShaderCode::from_bytes(&bytes).ok())
        .collect()
}

fn programs(codes: &[ShaderCode], stage: Stage) -> Vec<Program> {
    codes
        .iter()
        .filter(|code| code.version().stage == stage)
        .map(|code| Program::compile(code, &Options::default()))
        .collect()
}

fn vertices() -> Vec<VertexInput> {
    (0..COUNT)
        .map(|n| {
            std::array::from_fn(|r| {
                std::array::from_fn(|i| ((n * 7 + r * 3 + i) % 19) as f32 / 9.0)
            })
        })
        .collect()
}

fn floats() -> Vec<[f32; 4]> {
    (0..256)
        .map(|n| std::array::from_fn(|i| ((n * 5 + i) % 23) as f32 / 11.0 - 1.0))
        .collect()
}

/// What the passes share.
struct Scene {
    vertex: Vec<Program>,
    pixel: Vec<Program>,
    inputs: Vec<VertexInput>,
    floats: Vec<[f32; 4]>,
}

impl Scene {
    fn new(codes: &[ShaderCode]) -> Self {
        Scene {
            vertex: programs(codes, Stage::Vertex),
            pixel: programs(codes, Stage::Pixel),
            inputs: vertices(),
            floats: floats(),
        }
    }

    fn constants(&self) -> Constants<'_> {
        Constants {
            floats: &self.floats,
            ints: &[[2, 0, 1, 0]; 16],
            ..Constants::default()
        }
    }

    fn copy(&self, outputs: &mut [VertexOutput]) {
        for _ in &self.vertex {
            for (input, output) in black_box(&self.inputs).iter().zip(outputs.iter_mut()) {
                output.registers.copy_from_slice(&input[..13]);
            }
            black_box(&outputs);
        }
    }

    fn alone(&self, machine: &mut Machine, outputs: &mut [VertexOutput]) {
        let constants = self.constants();
        for program in &self.vertex {
            for (input, output) in self.inputs.iter().zip(outputs.iter_mut()) {
                let ran = program.run_vertex(machine, input, &constants, &mut texture);
                *output = ran.unwrap_or_default();
            }
            black_box(&outputs);
        }
    }

    fn together(&self, machine: &mut Machine, outputs: &mut [VertexOutput]) {
        let constants = self.constants();
        for program in &self.vertex {
            let ran =
                program.run_vertices(machine, &self.inputs, outputs, &constants, &mut texture);
            black_box(ran.is_ok());
        }
    }

    fn quads(&self, machine: &mut Machine) {
        let constants = self.constants();
        let mut input = QuadInput::default();
        for (pixel, values) in input.registers.iter_mut().zip(&self.inputs) {
            pixel.copy_from_slice(&values[..10]);
        }
        for program in &self.pixel {
            for _ in 0..COUNT {
                let ran = program.run_quad(machine, &input, &constants, &mut texture);
                black_box(ran.is_ok());
            }
        }
    }
}

fn texture(fetch: &Fetch) -> [f32; 4] {
    fetch.coordinate
}

#[divan::bench(sample_count = 10)]
fn compile(bencher: Bencher) {
    let codes = codes();
    bencher
        .counter(ItemsCount::new(codes.len()))
        .bench_local(|| {
            let compiled = codes.iter();
            compiled
                .map(|code| Program::compile(code, &Options::default()).len())
                .sum::<usize>()
        });
}

#[divan::bench(sample_count = 10, args = ["copy (the baseline)", "one at a time", "in groups"])]
fn vertex_shaders(bencher: Bencher, how: &str) {
    let scene = Scene::new(&codes());
    let mut machine = Machine::new();
    let mut outputs = vec![VertexOutput::default(); COUNT];
    bencher
        .counter(ItemsCount::new(scene.vertex.len() * COUNT))
        .bench_local(|| match how {
            "one at a time" => scene.alone(&mut machine, &mut outputs),
            "in groups" => scene.together(&mut machine, &mut outputs),
            _ => scene.copy(&mut outputs),
        });
}

#[divan::bench(sample_count = 10)]
fn pixel_shaders(bencher: Bencher) {
    let scene = Scene::new(&codes());
    let mut machine = Machine::new();
    bencher
        .counter(ItemsCount::new(scene.pixel.len() * COUNT * 4))
        .bench_local(|| scene.quads(&mut machine));
}

/// The shortest of many passes.
fn best(mut pass: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        pass();
        start.elapsed()
    };
    (0..40).map(|_| time()).min().unwrap_or_default()
}

fn main() {
    let codes = codes();
    if codes.is_empty() {
        return;
    }
    let scene = Scene::new(&codes);
    let mut machine = Machine::new();
    let mut outputs = vec![VertexOutput::default(); COUNT];
    let (vertices, pixels) = (scene.vertex.len() * COUNT, scene.pixel.len() * COUNT * 4);
    let ops = |programs: &[Program]| programs.iter().map(Program::len).sum::<usize>();
    println!(
        "{} vertex shaders of {} operations, {} pixel shaders of {}; times are the best of 40 passes",
        scene.vertex.len(),
        ops(&scene.vertex) / scene.vertex.len().max(1),
        scene.pixel.len(),
        ops(&scene.pixel) / scene.pixel.len().max(1),
    );
    let copy = best(|| scene.copy(&mut outputs)).as_secs_f64() / vertices as f64;
    let rows = [
        ("copy of a vertex (the baseline)", copy),
        (
            "a vertex, one at a time",
            best(|| scene.alone(&mut machine, &mut outputs)).as_secs_f64() / vertices as f64,
        ),
        (
            "a vertex, in groups of 16",
            best(|| scene.together(&mut machine, &mut outputs)).as_secs_f64() / vertices as f64,
        ),
        (
            "a pixel, in quads",
            best(|| scene.quads(&mut machine)).as_secs_f64() / pixels as f64,
        ),
    ];
    for (name, seconds) in rows {
        println!(
            "{name:34} {:8.1} ns {:8.2} M/s {:7.1} x the copy",
            seconds * 1e9,
            1e-6 / seconds,
            seconds / copy
        );
    }
    divan::main();
}
