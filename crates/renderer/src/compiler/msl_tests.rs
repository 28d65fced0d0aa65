//! What Metal gets, checked on whatever GPU there is: each function's text is written, and its
//! slots are compared with the layout of every pipeline that is built.

use ninefold_bytecode::assemble;
use ninefold_shader::{Options, fixed};

use super::tests::{compiler, gpu, ingredients};
use super::*;

/// A service that writes MSL as on Metal.
fn writing(gpu: &Gpu) -> Compiler {
    let mut compiler = compiler(gpu, None, 0);
    let shared = Arc::get_mut(&mut compiler.shared).expect("no worker was started");
    shared.msl = Some(MslVersion::here());
    compiler
}

/// Numbers and texts of vertex programs: of no texture, of two, of large constants, of both.
const VERTICES: [(u64, &str); 4] = [
    (101, "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\n"),
    (
        102,
        "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_2d s0\ndcl_2d s3\n\
         texldl r0, v0, s0\ntexldl r1, v0, s3\nadd r0, r0, r1\nadd o0, r0, c9\n",
    ),
    (
        103,
        "vs_2_sw\ndcl_position v0\nmov r0, v0\nrep i16\nadd r0, r0, v0\nendrep\nmov oPos, r0\n",
    ),
    (
        104,
        "vs_3_sw\ndcl_position v0\ndcl_position o0\ndcl_2d s1\n\
         texldl r0, v0, s1\nrep i20\nadd r0, r0, c4\nendrep\nmov o0, r0\n",
    ),
];

/// The same of pixel programs.
const PIXELS: [(u64, &str); 5] = [
    (201, "ps_2_0\nmov r0, c3\nmov oC0, r0\n"),
    (
        202,
        "ps_2_0\ndcl t0.xy\ndcl_2d s1\ndcl_2d s4\n\
         texld r0, t0, s1\ntexld r1, t0, s4\nadd r0, r0, r1\nmov oC0, r0\n",
    ),
    (
        203,
        "ps_3_0\ndcl_volume s0\ndcl_cube s15\n\
         texldl r0, c0, s0\ntexldl r1, c1, s15\nadd oC0, r0, r1\n",
    ),
    (
        204,
        "ps_3_sw\nmov r0, c0\nrep i16\nadd r0, r0, c0\nendrep\nmov oC0, r0\n",
    ),
    (
        205,
        "ps_3_sw\ndcl_2d s7\ntexldl r0, c0, s7\nrep i16\nadd r0, r0, c1\nendrep\nmov oC0, r0\n",
    ),
];

fn register_all(compiler: &Compiler) {
    for (name, text) in VERTICES.iter().chain(&PIXELS) {
        compiler.register(*name, &assemble(text).unwrap());
    }
}

/// Every program and the fixed function, for both stages.
fn halves() -> (Vec<VertexHalf>, Vec<PixelHalf>) {
    let vertex = |&(name, _): &(u64, &str)| VertexHalf::Program(name, Options::default());
    let pixel = |&(name, _): &(u64, &str)| PixelHalf::Program(name, Options::default());
    let mut vertices: Vec<_> = VERTICES.iter().map(vertex).collect();
    let mut pixels: Vec<_> = PIXELS.iter().map(pixel).collect();
    vertices.push(VertexHalf::Fixed(fixed::VertexKey::default()));
    pixels.push(PixelHalf::Fixed(fixed::FragmentKey::default()));
    (vertices, pixels)
}

/// Every pair of stages, each with two write masks: the layouts differ, the functions do not, and
/// each becomes one module.
#[test]
fn a_function_is_compiled_once_for_all_its_pipelines() {
    let Some(gpu) = gpu() else { return };
    let compiler = writing(&gpu);
    register_all(&compiler);
    let before = gpu.live_objects();
    let (vertices, pixels) = halves();
    let mut functions = rustc_hash::FxHashSet::default();
    let mut made = 0;
    for vertex in &vertices {
        for pixel in &pixels {
            for mask in [7, 15] {
                let mut wanted = ingredients(mask);
                (wanted.vertex, wanted.pixel) = (*vertex, *pixel);
                let prepared = compiler.prepare(&wanted).unwrap();
                functions.extend([prepared.vertex.identity, prepared.pixel.identity]);
                compiler.acquire(&wanted, &prepared, false).unwrap();
                made += 1;
            }
        }
    }
    let after = gpu.live_objects();
    assert_eq!(after.pipelines - before.pipelines, made);
    assert_eq!(after.shaders - before.shaders, functions.len());
    assert!(
        functions.len() < made / 2,
        "{} functions of {made} pipelines",
        functions.len()
    );
    let stats = compiler.stats();
    assert_eq!(stats.draw_functions, functions.len() as u64);
}

/// The text that a pixel or vertex program of `name` is compiled from, with what other stage
/// whatever.
fn text(compiler: &Compiler, name: u64) -> String {
    let (vertex, pixel) = match name < 200 {
        true => (
            VertexHalf::Program(name, Options::default()),
            PixelHalf::Fixed(fixed::FragmentKey::default()),
        ),
        false => (
            VertexHalf::Fixed(fixed::VertexKey::default()),
            PixelHalf::Program(name, Options::default()),
        ),
    };
    let mut wanted = ingredients(15);
    (wanted.vertex, wanted.pixel) = (vertex, pixel);
    let prepared = compiler.prepare(&wanted).unwrap();
    let function = match name < 200 {
        true => &prepared.vertex,
        false => &prepared.pixel,
    };
    let claimed = compiler.shared.claim_function(function, Who::Draw).unwrap();
    let functions::Claimed::Here(claim) = claimed else {
        panic!("it is compiled already");
    };
    let msl = claim.code().msl.expect("text was asked for");
    assert!(msl.text.contains(&format!(" {}(", function.entry)));
    msl.text
}

/// Slots worked out from the layout of groups: a stage's uniforms are buffers 0 and 1, its large
/// constants buffer 2, and the textures that it uses are counted from 0.
#[test]
fn texts_have_the_slots_of_the_layout() {
    let Some(gpu) = gpu() else { return };
    let compiler = writing(&gpu);
    register_all(&compiler);
    let expected: [(u64, &[&str]); 9] = [
        (101, &["buffer(0)"]),
        (
            102,
            &[
                "buffer(0)",
                "texture(0)",
                "texture(1)",
                "sampler(0)",
                "sampler(1)",
            ],
        ),
        (103, &["buffer(2)"]),
        (104, &["buffer(0)", "buffer(2)", "texture(0)", "sampler(0)"]),
        (201, &["buffer(0)"]),
        (
            202,
            &["texture(0)", "texture(1)", "sampler(0)", "sampler(1)"],
        ),
        (
            203,
            &[
                "buffer(0)",
                "texture(0)",
                "texture(1)",
                "sampler(0)",
                "sampler(1)",
            ],
        ),
        (204, &["buffer(0)", "buffer(2)"]),
        (205, &["buffer(0)", "buffer(2)", "texture(0)", "sampler(0)"]),
    ];
    for (name, expected) in expected {
        let text = text(&compiler, name);
        let mut slots: Vec<&str> = text
            .split("[[")
            .filter_map(|rest| rest.split_once("]]").map(|(attribute, _)| attribute))
            .filter(|attribute| attribute.starts_with(['b', 't', 's']) && *attribute != "stage_in")
            .collect();
        slots.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(slots, expected, "{name}\n{text}");
    }
}

/// Only Metal costs the writing of text.
#[test]
fn other_back_ends_get_no_text() {
    let Some(gpu) = gpu() else { return };
    let compiler = compiler(&gpu, None, 0);
    assert_eq!(
        compiler.shared.msl.is_some(),
        gpu.adapter_info().backend == "metal"
    );
}
