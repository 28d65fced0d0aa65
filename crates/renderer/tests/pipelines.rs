//! The pipeline compiler service over the sessions of a program: what the first builds at its
//! draws, workers build in the next.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::raw::{Owned, strides};
use common::{Alone, pixels, renderer_with};
use ninefold_bytecode::assemble;
use ninefold_renderer::{
    BlendKey, BlendMode, Draw, ErrorKind, Manifest, PipelineStats, PixelFunction, Renderer,
    Settings, StreamData, VertexElement, VertexFunction,
};
use ninefold_shader::{Options, fixed};

const POSITION: [VertexElement; 1] = [VertexElement {
    stream: 0,
    offset: 0,
    ty: 3,
    usage: 0,
    index: 0,
}];

/// A triangle over the whole clip space.
fn whole() -> Vec<u8> {
    let corners = [[-1.0f32, 1.0], [3.0, 1.0], [-1.0, -3.0]];
    let values = corners.into_iter().flat_map(|[x, y]| [x, y, 0.5, 1.0]);
    values.flat_map(f32::to_le_bytes).collect()
}

/// Vertex and pixel shaders, the last writing (.25, .5, .75, 1) times n / 4.
fn shaders(n: usize) -> [String; 2] {
    let part = n as f32 / 4.0;
    let c = format!("{}, {}, {}, 1", 0.25 * part, 0.5 * part, 0.75 * part);
    let [vs, ps] = [
        ["vs_1_1", "ps_1_1"],
        ["vs_2_0", "ps_2_0"],
        ["vs_3_0", "ps_3_0"],
    ][n % 3];
    let position = match n % 3 {
        2 => format!("{vs}\ndcl_position v0\ndcl_position o0\nmov o0, v0\n"),
        _ => format!("{vs}\ndcl_position v0\nmov oPos, v0\n"),
    };
    let out = if n.is_multiple_of(3) { "r0" } else { "oC0" };
    [position, format!("{ps}\ndef c0, {c}\nmov {out}, c0\n")]
}

/// What a session did: the pixel after each draw, and the counters at the end.
#[derive(Debug, PartialEq)]
struct Session {
    pixels: Vec<u32>,
    stats: PipelineStats,
}

const MODES: [BlendMode; 4] = [
    BlendMode::None,
    BlendMode::Add,
    BlendMode::SrcAlpha,
    BlendMode::Modulate,
];

/// Eight pipelines with vertex shaders: two shader pairs under four blend modes; and one of fixed
/// functions alone. `ready` is called once the shaders are registered.
fn play(r: &mut Renderer, ready: impl FnOnce(&mut Renderer)) -> Session {
    let options = r.shader_options(&Options::default()).unwrap();
    let pairs = [1, 2]
        .map(|n| shaders(n).map(|text| r.register_shader(&assemble(&text).unwrap()).unwrap()));
    ready(r);
    let mut session = Session {
        pixels: Vec::new(),
        stats: PipelineStats::default(),
    };
    let fixed_vertex = r.fixed_vertex(&fixed::VertexKey::default()).unwrap();
    let fixed_pixel = r.fixed_fragment(&fixed::FragmentKey::default()).unwrap();
    let context = r.create_context(1, 1).unwrap();
    let mut draw = |r: &mut Renderer, functions: (VertexFunction, PixelFunction), mode| {
        let mut owned = Owned::new(r, 1, 1, &POSITION, &strides(16));
        (owned.vertex, owned.pixel) = functions;
        owned.blend = BlendKey::mode(mode, 15, false);
        let data = whole();
        let streams = [StreamData::Bytes(&data)];
        let draw: Draw<'_> = owned.draw(r, &context, &streams, 3);
        r.draw(&draw).unwrap();
        let pixel = pixels(&r.read_framebuffer(&context).unwrap())[0];
        session.pixels.push(pixel);
    };
    for mode in MODES {
        for [vertex, pixel] in pairs {
            let functions = (
                VertexFunction::Program(vertex, options),
                PixelFunction::Program(pixel, options),
            );
            draw(r, functions, mode);
        }
    }
    draw(r, (fixed_vertex, fixed_pixel), BlendMode::None);
    session.stats = r.pipeline_stats();
    session
}

const PIPELINES: u64 = 9;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn open(folder: &Path, change: impl FnOnce(&mut Settings)) -> Option<Alone> {
    let mut settings = Settings {
        pipeline_cache_dir: Some(folder.to_owned()),
        ..Settings::default()
    };
    change(&mut settings);
    renderer_with(settings)
}

fn manifest(folder: &Path) -> Manifest {
    Manifest::parse(&std::fs::read(folder.join("manifest-v2.bin")).unwrap()).unwrap()
}

/// Not a test of its own: what `two_processes_share_a_folder` runs twice.
#[test]
fn session() {
    let Some(folder) = std::env::var_os("NINEFOLD_TEST_SESSION") else {
        return;
    };
    let Some(mut r) = open(Path::new(&folder), |_| {}) else {
        return;
    };
    let session = play(&mut r, |r| r.wait_for_pipelines());
    let PipelineStats {
        draw_builds,
        background_builds,
        prewarm_hits,
        waits,
        recipes_loaded,
        ..
    } = session.stats;
    println!("pixels {:?}", session.pixels);
    println!("stats {draw_builds} {background_builds} {prewarm_hits} {waits} {recipes_loaded}");
}

/// Starts a process of its own over a folder.
fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "session", "--nocapture"])
        .env("NINEFOLD_TEST_SESSION", folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What it says of its pixels and its counters; nothing when there is no GPU.
fn end(child: Child) -> Option<(String, String)> {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let line = |start: &str| {
        let line = said.lines().find_map(|line| line.split_once(start));
        line.map(|(_, rest)| rest.to_owned())
    };
    let found = line("pixels ").zip(line("stats "));
    if found.is_none() {
        assert!(std::env::var("NINEFOLD_REQUIRE_GPU").as_deref() != Ok("1"));
        eprintln!("skipped, no GPU");
    }
    found
}

#[test]
fn two_processes_share_a_folder() {
    let folder = folder("two_processes");
    let run = || end(start(&folder));
    let (Some(first), Some(second)) = (run(), run()) else {
        return;
    };
    assert_eq!(first.1, "9 0 0 0 0", "every pipeline at its draw");
    assert_eq!(second.1, "0 9 9 0 9", "no pipeline at a draw");
    assert_eq!(first.0, second.0);
}

/// Testers who play at once on one folder: each records what it built, and nothing is torn.
#[test]
fn processes_at_once_leave_a_whole_manifest() {
    let folder = folder("at_once");
    for _ in 0..3 {
        let children = [(); 4].map(|()| start(&folder));
        let said = children.map(end);
        let Some((pixels, _)) = &said[0] else { return };
        assert!(said.iter().flatten().all(|(other, _)| other == pixels));
        let manifest = manifest(&folder);
        assert_eq!((manifest.torn(), manifest.invalid()), (0, 0));
        assert_eq!(manifest.len() as u64, PIPELINES);
    }
    let Some((_, stats)) = end(start(&folder)) else {
        return;
    };
    assert_eq!(stats, "0 9 9 0 9", "no pipeline at a draw");
}

#[test]
fn draws_that_come_early_wait_or_build_and_draw_the_same() {
    let folder = folder("early");
    let Some(mut r) = open(&folder, |_| {}) else {
        return;
    };
    let first = play(&mut r, |_| {});
    drop(r);
    assert_eq!(manifest(&folder).len() as u64, PIPELINES);
    for _ in 0..8 {
        let mut r = open(&folder, |_| {}).unwrap();
        let session = play(&mut r, |_| {});
        assert_eq!(session.pixels, first.pixels);
        r.wait_for_pipelines();
        let stats = r.pipeline_stats();
        assert_eq!(
            stats.draw_builds + stats.background_builds,
            PIPELINES,
            "each once"
        );
        assert_eq!(stats.recipes_recorded, 0);
        assert_eq!(stats.recipes_dropped, 0);
    }
    assert_eq!(manifest(&folder).len() as u64, PIPELINES);
}

#[test]
fn without_workers_everything_is_built_at_its_draw() {
    let folder = folder("no_workers");
    for session in 0..2 {
        let Some(mut r) = open(&folder, |settings| settings.pipeline_workers = 0) else {
            return;
        };
        let played = play(&mut r, |r| r.wait_for_pipelines());
        assert_eq!(played.stats.draw_builds, PIPELINES);
        assert_eq!(
            played.stats.background_builds + played.stats.background_functions,
            0
        );
        r.sync_pipelines().unwrap();
        let recorded = r.pipeline_stats().recipes_recorded;
        assert_eq!(recorded, if session == 0 { PIPELINES } else { 0 });
        drop(r);
        assert!(manifest(&folder).is_clean());
        assert_eq!(manifest(&folder).len() as u64, PIPELINES);
    }
}

#[test]
fn shaders_are_compiled_when_they_are_registered() {
    let folder = folder("prewarm");
    for prewarm in [true, false] {
        let Some(mut r) = open(&folder, |settings| {
            settings.pipeline_cache_dir = None;
            settings.shader_prewarm = prewarm;
        }) else {
            return;
        };
        let played = play(&mut r, |r| r.wait_for_pipelines());
        assert_eq!(played.stats.draw_builds, PIPELINES);
        // Two vertex and two pixel shaders; the two fixed functions are nobody's before the draw.
        let functions = if prewarm { [2, 4] } else { [6, 0] };
        let made = [
            played.stats.draw_functions,
            played.stats.background_functions,
        ];
        assert_eq!(made, functions);
        assert!(!folder.exists(), "no folder was asked for");
    }
}

#[test]
fn prewarming_leaves_a_quarter_of_the_cache_to_draws() {
    let folder = folder("room");
    let small = |settings: &mut Settings| settings.program_pipelines = 8;
    let Some(mut r) = open(&folder, small) else {
        return;
    };
    let first = play(&mut r, |_| {});
    drop(r);
    let mut r = open(&folder, small).unwrap();
    let second = play(&mut r, |r| r.wait_for_pipelines());
    assert_eq!(second.pixels, first.pixels);
    assert_eq!(second.stats.background_builds, 6 + 1, "and the fixed one");
    assert_eq!(second.stats.draw_builds, 2);
    assert_eq!(second.stats.prewarm_hits, 7);
}

#[test]
fn variants_of_draws_are_translated_ahead_for_other_shaders() {
    let folder = folder("variants");
    let Some(mut r) = open(&folder, |_| {}) else {
        return;
    };
    let tested = Options {
        alpha_func: ninefold_shader::CompareFunc::Greater,
        ..Options::default()
    };
    let plain = r.shader_options(&Options::default()).unwrap();
    let options = r.shader_options(&tested).unwrap();
    let [vs, first] = shaders(1).map(|text| r.register_shader(&assemble(&text).unwrap()).unwrap());
    let [_, second] = shaders(4).map(|text| r.register_shader(&assemble(&text).unwrap()).unwrap());
    let context = r.create_context(1, 1).unwrap();
    let draw = |r: &mut Renderer, pixel| {
        r.wait_for_pipelines();
        let mut owned = Owned::new(r, 1, 1, &POSITION, &strides(16));
        owned.vertex = VertexFunction::Program(vs, plain);
        owned.pixel = PixelFunction::Program(pixel, options);
        let data = whole();
        let streams = [StreamData::Bytes(&data)];
        let draw: Draw<'_> = owned.draw(r, &context, &streams, 3);
        r.draw(&draw).unwrap();
        r.pipeline_stats().draw_functions
    };
    assert_eq!(draw(&mut r, first), 1, "the first with an alpha test");
    assert_eq!(draw(&mut r, second), 1, "the second was ready");
}

#[test]
fn a_shader_that_fails_fails_the_same_way_without_another_attempt() {
    let Some(mut r) = open(&folder("failing"), |_| {}) else {
        return;
    };
    let [vs, ps] = shaders(1).map(|text| r.register_shader(&assemble(&text).unwrap()).unwrap());
    let options = r.shader_options(&Options::default()).unwrap();
    r.wait_for_pipelines();
    let context = r.create_context(1, 1).unwrap();
    let fail = |r: &mut Renderer| {
        let mut owned = Owned::new(r, 1, 1, &POSITION, &strides(16));
        // The two shaders in each other's place.
        owned.vertex = VertexFunction::Program(ps, options);
        owned.pixel = PixelFunction::Program(vs, options);
        let data = whole();
        let streams = [StreamData::Bytes(&data)];
        let draw: Draw<'_> = owned.draw(r, &context, &streams, 3);
        let error = r.draw(&draw).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Shader);
        (error.text().to_owned(), r.pipeline_stats().translated)
    };
    let first = fail(&mut r);
    for _ in 0..4 {
        assert_eq!(fail(&mut r), first);
    }
    assert_eq!(r.pipeline_stats().recipes_recorded, 0);
}

#[test]
fn a_renderer_that_ends_while_busy_loses_no_record() {
    let folder = folder("busy");
    let mut pixels = Vec::new();
    for n in 0..12 {
        let Some(mut r) = open(&folder, |_| {}) else {
            return;
        };
        // Every other session is thrown away as soon as its shaders are known.
        if n % 2 == 1 {
            for n in 0..8 {
                for text in shaders(n) {
                    r.register_shader(&assemble(&text).unwrap()).unwrap();
                }
            }
            continue;
        }
        pixels.push(play(&mut r, |_| {}).pixels);
        drop(r);
        assert_eq!(manifest(&folder).len() as u64, PIPELINES);
    }
    assert!(pixels.iter().all(|session| *session == pixels[0]));
}
