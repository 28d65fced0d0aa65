//! The manifest's file under damage, and the service under many threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ninefold_bytecode::assemble;
use ninefold_gpu::GpuOptions;
use ninefold_shader::{Options, SamplerRules, fixed};

use super::manifest::{HEADER, MAX_RECIPES, header};
use super::recipe::{RECIPE_BYTES, RECIPE_V1_BYTES};
use super::store::{append, load, lock};
use super::*;
use crate::draw::{Primitive, STAGES};
use crate::keys::{BlendId, DepthStencilId, RasterKey, VertexElement};
use crate::large::Large;
use crate::pipeline::TargetFormats;
use crate::vertex_input::Layout;

pub(super) fn folder(name: &str) -> PathBuf {
    let name = format!("ninefold-{}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A recipe that differs by `n`: the fixed function, with `n` as write mask and primitive.
pub(super) fn ingredients(n: u32) -> Ingredients {
    Ingredients {
        vertex: VertexHalf::Fixed(fixed::VertexKey::default()),
        pixel: PixelHalf::Fixed(fixed::FragmentKey::default()),
        layout: Layout {
            elements: vec![VertexElement {
                stream: 0,
                offset: 0,
                ty: 2,
                usage: 0,
                index: 0,
            }],
            strides: [12; 16],
        },
        bound_streams: 1,
        raster: RasterKey::default(),
        blend: BlendId(u64::from(n & 0xFFFF) << 2),
        depth_stencil: DepthStencilId(7 << 1),
        formats: TargetFormats {
            colors: [crate::image::ImageFormat::Bgra8 as u8, 0, 0, 0],
            samples: 1,
            ..TargetFormats::default()
        },
        samplers: [SamplerRules::default(); STAGES],
        primitive: Primitive::TriangleList,
    }
}

pub(super) fn recipe(n: u32) -> Recipe {
    let mut recipe = ingredients(n).recipe().unwrap();
    recipe.key = u64::from(n) + 1;
    recipe
}

pub(super) fn keys(manifest: &Manifest) -> Vec<u64> {
    manifest.recipes().iter().map(|recipe| recipe.key).collect()
}

pub(super) fn file(recipes: &[Recipe]) -> Vec<u8> {
    [&header()[..], bytemuck::cast_slice(recipes)].concat()
}

#[test]
fn recipes_come_back() {
    let mut all = ingredients(0xABCD);
    all.vertex = VertexHalf::Program(
        77,
        Options {
            clip_planes: 3,
            ..Options::default()
        },
    );
    all.pixel = PixelHalf::Program(78, Options::default());
    all.raster.depth_bias = 1.0;
    all.raster.alpha_to_coverage = true;
    all.raster.wraps = 0x31;
    all.samplers[19].texels = 2;
    let recipe = all.recipe().unwrap();
    let back = recipe.ingredients().unwrap();
    assert_eq!(back.recipe().unwrap(), recipe);
    assert_eq!((back.vertex, back.pixel), (all.vertex, all.pixel));
    assert_eq!(back.layout, all.layout);
    assert_eq!(recipe.shaders().collect::<Vec<_>>(), [77, 78]);
}

/// The mode is all that tells the recipe of a variant from the shader's, after the bytes that version
/// 1 has.
#[test]
fn recipes_of_radial_fog_come_back() {
    let with = |vertex| {
        let mut all = ingredients(0xABCD);
        all.vertex = vertex;
        all.recipe().unwrap()
    };
    let plain = with(VertexHalf::Program(77, Options::default()));
    assert_eq!(plain.radial_fog, 0);
    for mode in radial_fog::Mode::ALL {
        let recipe = with(VertexHalf::Radial(77, Options::default(), mode));
        assert_eq!(recipe.radial_fog, mode as u32);
        let [a, b] = [&recipe, &plain].map(bytemuck::bytes_of);
        assert_eq!(a[..RECIPE_V1_BYTES], b[..RECIPE_V1_BYTES]);
        let back = recipe.ingredients().unwrap();
        assert_eq!(
            back.vertex,
            VertexHalf::Radial(77, Options::default(), mode)
        );
        assert_eq!(back.recipe().unwrap(), recipe);
    }
    let mut unknown = plain;
    unknown.radial_fog = 3;
    assert!(unknown.ingredients().is_none());
    // Of the fixed function the distance is part of the key.
    let mut fixed = recipe(1);
    fixed.radial_fog = 1;
    assert!(fixed.ingredients().is_none());
}

#[test]
fn bytes_of_a_recipe_mean_one_thing_or_nothing() {
    let good = recipe(15);
    for at in 8..RECIPE_BYTES {
        for bit in 0..8 {
            let mut damaged = good;
            bytemuck::bytes_of_mut(&mut damaged)[at] ^= 1 << bit;
            if let Some(made) = damaged.ingredients() {
                let mut again = made.recipe().unwrap();
                again.key = damaged.key;
                assert_eq!(again, damaged, "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn the_header_is_little_endian_and_each_byte_of_it_counts() {
    let bytes = file(&[recipe(1)]);
    assert_eq!(bytes[..HEADER], *b"HVPM\x02\0\0\0\x40\x04\0\0\0\0\0\0");
    assert_eq!(Manifest::parse(&bytes).unwrap().len(), 1);
    for at in 0..HEADER {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let error = Manifest::parse(&damaged).unwrap_err();
            assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn every_truncation_keeps_the_whole_records() {
    let bytes = file(&[recipe(1), recipe(2), recipe(3)]);
    let folder = folder("truncated");
    let path = folder.join("manifest-v2.bin");
    for length in 0..=bytes.len() {
        let whole = length.saturating_sub(HEADER) / RECIPE_BYTES;
        match Manifest::parse(&bytes[..length]) {
            Ok(manifest) => {
                assert_eq!(manifest.len(), whole);
                assert_eq!(manifest.torn(), (length - HEADER) % RECIPE_BYTES);
            }
            Err(error) => assert_eq!(error, ManifestError::CutOff(length)),
        }
        if length % 97 == 0 || length < 40 {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert_eq!(load(&folder).unwrap().len(), whole);
            append(&folder, &[recipe(9)], false).unwrap();
            let read = load(&folder).unwrap();
            assert!(read.is_clean());
            assert_eq!(read.len(), whole + 1);
        }
    }
}

#[test]
fn a_torn_record_is_not_built_upon() {
    let folder = folder("torn");
    append(&folder, &[recipe(1)], true).unwrap();
    let path = folder.join("manifest-v2.bin");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(&[0xAA; 500]);
    std::fs::write(&path, &bytes).unwrap();
    append(&folder, &[recipe(2)], false).unwrap();
    let manifest = load(&folder).unwrap();
    assert!(manifest.is_clean());
    assert_eq!(keys(&manifest), [2, 3]);
}

#[test]
fn flipped_bits_of_records_never_harm_the_others() {
    let recipes: Vec<Recipe> = (1..=3).map(recipe).collect();
    let bytes = file(&recipes);
    let second = HEADER + RECIPE_BYTES..HEADER + 2 * RECIPE_BYTES;
    for at in second {
        for bit in [0, 3, 7] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let manifest = Manifest::parse(&damaged).unwrap();
            let keys = keys(&manifest);
            assert!(keys.contains(&4), "the last stays");
            assert!(manifest.len() >= 2 || keys == [3, 4] || keys.len() == 2);
            assert_eq!(
                manifest.len() + manifest.invalid() + manifest.superseded(),
                3
            );
        }
    }
}

#[test]
fn the_newest_of_a_key_and_the_newest_of_all_stay() {
    let mut old = recipe(1);
    old.sample_mask = 0;
    let manifest = Manifest::parse(&file(&[old, recipe(2), recipe(1)])).unwrap();
    assert_eq!(keys(&manifest), [3, 2]);
    assert_eq!(manifest.recipes()[1], recipe(1));
    assert_eq!(manifest.superseded(), 1);
    let many: Vec<Recipe> = (0..MAX_RECIPES as u32 + 10).map(recipe).collect();
    let manifest = Manifest::parse(&file(&many)).unwrap();
    assert_eq!(manifest.len(), MAX_RECIPES);
    assert_eq!(manifest.recipes()[0], recipe(10));

    let folder = folder("full");
    assert_eq!(append(&folder, &many, false).unwrap(), MAX_RECIPES);
    assert_eq!(append(&folder, &[recipe(5)], false).unwrap(), 0);
    assert_eq!(load(&folder).unwrap().len(), MAX_RECIPES);
}

#[test]
fn version_1_is_taken_over_and_left_alone() {
    let folder = folder("version1");
    let mut bytes = header().to_vec();
    bytes[4] = 1;
    bytes[8..12].copy_from_slice(&(RECIPE_V1_BYTES as u32).to_le_bytes());
    for n in [4, 5] {
        bytes.extend_from_slice(&bytemuck::bytes_of(&recipe(n))[..RECIPE_V1_BYTES]);
    }
    let old = folder.join("manifest-v1.bin");
    std::fs::write(&old, &bytes).unwrap();
    let manifest = load(&folder).unwrap();
    assert_eq!(manifest.version(), 1);
    assert_eq!(keys(&manifest), [5, 6]);
    assert_eq!(std::fs::read(&old).unwrap(), bytes);
    let written = std::fs::read(folder.join("manifest-v2.bin")).unwrap();
    assert_eq!(written, file(&[recipe(4), recipe(5)]));
    // From now on the new one counts.
    append(&folder, &[recipe(6)], false).unwrap();
    assert_eq!(keys(&load(&folder).unwrap()), [5, 6, 7]);
}

#[test]
fn a_crash_between_write_and_rename_changes_nothing() {
    let folder = folder("crash");
    append(&folder, &[recipe(1)], false).unwrap();
    std::fs::write(folder.join("manifest-v2.bin.tmp"), b"half a manifest").unwrap();
    assert_eq!(keys(&load(&folder).unwrap()), [2]);
    // The next rewrite is not in its way.
    let path = folder.join("manifest-v2.bin");
    std::fs::write(&path, file(&[recipe(1), recipe(1)])).unwrap();
    assert_eq!(keys(&load(&folder).unwrap()), [2]);
    assert_eq!(std::fs::read(&path).unwrap(), file(&[recipe(1)]));
    assert!(!folder.join("manifest-v2.bin.tmp").exists());
}

#[test]
fn two_writers_append_whole_records() {
    let folder = folder("writers");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                for n in 0..50 {
                    let recipe = recipe(writer * 50 + n);
                    append(folder, &[recipe], false).unwrap();
                    if n % 10 == 0 {
                        // Reading may write it anew.
                        load(folder).unwrap();
                    }
                }
            });
        }
    });
    let manifest = load(&folder).unwrap();
    assert!(manifest.is_clean());
    let mut keys = keys(&manifest);
    keys.sort_unstable();
    assert_eq!(keys, (1..=200).collect::<Vec<u64>>());
}

#[test]
fn merging_takes_the_newer_of_both() {
    let mut old = recipe(1);
    old.sample_mask = 0;
    let mut merged = Manifest::parse(&file(&[old, recipe(2)])).unwrap();
    merged.merge(&Manifest::parse(&file(&[recipe(3), recipe(1)])).unwrap());
    assert_eq!(merged.to_bytes(), file(&[recipe(2), recipe(3), recipe(1)]));
    assert_eq!(merged.summaries().count(), 3);
}

#[test]
fn archives_of_several_writers_stay_whole() {
    let folder = folder("archives");
    let path = folder.join("pipelines-0.archive");
    std::thread::scope(|scope| {
        for writer in 1..=4u8 {
            let (folder, path) = (&folder, &path);
            scope.spawn(move || {
                let data = vec![writer; 100_000 * usize::from(writer)];
                for _ in 0..20 {
                    archive::write(folder, path, &data).unwrap();
                    let read = std::fs::read(path).unwrap();
                    assert_eq!(read.len(), 100_000 * usize::from(read[0]));
                    assert!(read.iter().all(|&byte| byte == read[0]));
                }
            });
        }
    });
}

/// As on read-only media: what is shipped with a program is used all the same.
#[test]
fn a_folder_without_a_lock_is_read() {
    let folder = folder("read-only");
    let bytes = file(&[recipe(1), recipe(1), recipe(2)]);
    std::fs::write(folder.join("manifest-v2.bin"), &bytes).unwrap();
    std::fs::create_dir(folder.join("manifest.lock")).unwrap();
    assert_eq!(keys(&load(&folder).unwrap()), [2, 3]);
    assert_eq!(
        std::fs::read(folder.join("manifest-v2.bin")).unwrap(),
        bytes
    );
    assert!(append(&folder, &[recipe(3)], false).is_err());
}

#[test]
fn a_lock_that_is_never_given_back_is_not_waited_for_for_ever() {
    let folder = folder("held");
    let wait = Duration::from_millis(30);
    let held = lock(&folder, "manifest.lock", wait).unwrap();
    let error = lock(&folder, "manifest.lock", wait).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    drop(held);
    lock(&folder, "manifest.lock", wait).unwrap();
}

pub(super) fn gpu() -> Option<Gpu> {
    let options = GpuOptions {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        ..GpuOptions::default()
    };
    match Gpu::new(&options) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(
                std::env::var("NINEFOLD_REQUIRE_GPU").as_deref() != Ok("1"),
                "{error}"
            );
            eprintln!("skipped, no GPU: {error}");
            None
        }
    }
}

fn with_settings(gpu: &Gpu, settings: &Settings) -> Compiler {
    let windows = crate::constants::Windows::new(gpu).unwrap();
    let large = Large::new(gpu).unwrap();
    let layouts = Arc::new(Layouts::new(gpu, windows.layout(), large.layout()));
    Compiler::new(gpu, settings, layouts)
}

pub(super) fn compiler(gpu: &Gpu, folder: Option<&Path>, workers: usize) -> Compiler {
    let settings = Settings {
        pipeline_workers: workers,
        pipeline_cache_dir: folder.map(Path::to_owned),
        ..Settings::default()
    };
    with_settings(gpu, &settings)
}

#[test]
fn a_failure_gets_three_attempts_and_time_between_them() {
    let error = Error::shader("no");
    let soon = Duration::ZERO;
    let later = Duration::from_secs(3600);
    let first = Failure::new(&error, 0, Who::Draw);
    assert!(first.may_retry(soon) && !first.may_retry(later));
    let second = Failure::new(&error, first.attempts, Who::Draw);
    assert!(second.may_retry(soon));
    let third = Failure::new(&error, second.attempts, Who::Draw);
    assert!(!third.may_retry(soon), "three in all");
    let background = Failure::new(&error, 0, Who::Worker);
    assert!(
        background.may_retry(later),
        "the draw that needs it tries at once"
    );
}

/// A panic while a function is compiled ends the waits for it, and the next to need it tries again.
#[test]
fn a_panic_leaves_no_function_compiling() {
    let Some(gpu) = gpu() else { return };
    let compiler = compiler(&gpu, None, 0);
    let prepared = compiler.prepare(&ingredients(1)).unwrap();
    let shared = &compiler.shared;
    let claimed = shared.claim_function(&prepared.vertex, Who::Worker);
    let Ok(functions::Claimed::Here(claim)) = claimed else {
        panic!("nobody asked for it before")
    };
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| shared.module(&prepared.vertex, Who::Draw).is_ok());
        std::thread::sleep(Duration::from_millis(20));
        let panics = scope.spawn(move || {
            let _claim = claim;
            panic!("a panic of the compiler, on purpose")
        });
        assert!(panics.join().is_err());
        assert!(waits.join().unwrap(), "a worker's failure is tried again");
    });
}

/// What earlier runs used leaves a quarter of the room to draws.
#[test]
fn a_quarter_of_the_pipelines_is_for_draws() {
    let Some(gpu) = gpu() else { return };
    let folder = folder("room");
    let draw = |compiler: &Compiler, n: u32| {
        let made = ingredients(n);
        let prepared = compiler.prepare(&made).unwrap();
        compiler.acquire(&made, &prepared, true).map(|_| ())
    };
    let first = compiler(&gpu, Some(&folder), 0);
    for n in 1..=5 {
        draw(&first, n).unwrap();
    }
    first.sync().unwrap();
    drop(first);
    let settings = Settings {
        fixed_pipelines: 4,
        pipeline_cache_dir: Some(folder),
        ..Settings::default()
    };
    let second = with_settings(&gpu, &settings);
    second.wait();
    assert_eq!(second.stats().recipes_loaded, 5);
    assert_eq!(second.stats().background_builds, 3, "three quarters");
    draw(&second, 6).unwrap();
    assert!(draw(&second, 7).is_err(), "the cache is full");
    assert!((1..=5).filter(|&n| draw(&second, n).is_ok()).count() == 3);
}

/// The specification's numbers, at the table: what is full says so, nothing is evicted, what is
/// ready still comes, and what earlier runs used stops at three quarters.
#[test]
fn the_specified_numbers_of_pipelines() {
    let Some(gpu) = gpu() else { return };
    let settings = Settings::default();
    assert_eq!(settings.program_pipelines, 4096);
    assert_eq!(settings.fixed_pipelines, 2048);
    let code = assemble("vs_1_1\ndcl_position v0\nmov oPos, v0\n").unwrap();
    for (is_program, capacity, what) in [
        (true, 4096usize, "programmable"),
        (false, 2048, "fixed-function"),
    ] {
        let compiler = compiler(&gpu, None, 0);
        compiler.register(79, &code);
        let of = |n: u32| {
            let mut made = ingredients(n % 65_536);
            if is_program {
                made.vertex = VertexHalf::Program(79, Options::default());
            }
            let prepared = compiler.prepare(&made).unwrap();
            (made, prepared)
        };
        let draw = |n: u32| {
            let (made, prepared) = of(n);
            compiler.acquire(&made, &prepared, true).map(|_| ())
        };
        let shared = &compiler.shared;
        let queued = |n: u32| {
            let (_, prepared) = of(n);
            let mut state = shared.state.lock();
            state.insert_queued(&prepared, is_program, shared.capacity)
        };
        // One that is built for good.
        draw(1).unwrap();
        // The manifest fills three quarters and no more.
        let three_quarters = capacity / 4 * 3;
        for n in 2..=three_quarters as u32 {
            assert!(queued(n).is_some(), "{n} of {three_quarters}");
        }
        assert!(queued(60_000).is_none(), "a quarter is for draws");
        // Draws fill the rest. Building so many takes too long: their entries are put there.
        for n in three_quarters as u32 + 1..capacity as u32 {
            let (_, prepared) = of(n);
            let mut state = shared.state.lock();
            state.insert(&prepared, usize::from(!is_program), entries::Status::Vacant);
        }
        draw(capacity as u32).unwrap();
        for n in [50_001, 50_002] {
            let error = draw(n).unwrap_err();
            assert_eq!(error.text(), format!("{what} pipeline cache is full"));
            assert_eq!(error.kind(), crate::ErrorKind::State);
        }
        let state = shared.state.lock();
        assert_eq!(state.entries.len(), capacity);
        assert!(state.entries[0].is_ready() && state.entries[capacity - 1].is_ready());
        drop(state);
        // Ready, queued, and vacant: all of them still draw.
        for n in [1, 2, capacity as u32 - 1] {
            draw(n).unwrap();
        }
        assert_eq!(shared.state.lock().entries.len(), capacity);
        // The other cache has its own room.
        let mut other = ingredients(3);
        if !is_program {
            other.vertex = VertexHalf::Program(79, Options::default());
        }
        let prepared = compiler.prepare(&other).unwrap();
        compiler.acquire(&other, &prepared, true).unwrap();
    }
}

/// Nor does what is translated ahead.
#[test]
fn a_quarter_of_the_translations_is_for_draws() {
    let Some(gpu) = gpu() else { return };
    let compiler = compiler(&gpu, None, 1);
    let of = |n: usize| functions::Source::Program(n as u64, Options::default());
    let ahead = functions::TRANSLATIONS / 4 * 3;
    let failed = || Err(Error::shader("taken"));
    let others = (1000..1000 + ahead).map(|n| (of(n), failed()));
    compiler.shared.state.lock().by_source.extend(others);
    let code = assemble("ps_2_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0\n").unwrap();
    compiler.register(78, &code);
    compiler.wait();
    assert_eq!(compiler.stats().translated, 0);
    compiler.prepare(&stressed(1)).unwrap();
}

/// The pipelines of the stress test: some good, some that the driver refuses.
fn stressed(n: u32) -> Ingredients {
    let mut made = ingredients(n % 6);
    if n % 3 == 1 {
        made.pixel = PixelHalf::Program(78, Options::default());
    }
    if n % 5 == 4 {
        // No such format can be drawn to with sixteen samples here.
        made.formats.samples = 16;
    }
    made
}

/// Many threads act as draws over few pipelines while workers build them from a manifest, begin
/// late and end early. Every draw gets its pipeline or its error, always the same, and nobody waits
/// for ever.
#[test]
fn no_schedule_hangs_or_changes_an_outcome() {
    schedules(300, false);
}

/// Thousands, over pipelines that exist already: lavapipe keeps a quarter of a megabyte of each
/// pipeline that it destroys. Everything else is as it is.
#[test]
fn no_schedule_of_thousands_hangs() {
    schedules(5000, true);
}

#[test]
#[ignore = "takes minutes: run it after changing the service"]
fn no_schedule_of_fifty_thousand_hangs() {
    schedules(50_000, true);
}

/// Has compilers that this thread makes take pipelines from here instead of from the driver, some
/// at once and some after a while.
fn lend_pipelines(gpu: &Gpu) {
    let plain = compiler(gpu, None, 0);
    let made = ingredients(1);
    let prepared = plain.prepare(&made).unwrap();
    let (pipeline, _) = plain.shared.acquire(&made, &prepared).unwrap();
    let refused: rustc_hash::FxHashSet<PipelineKey> = (0..30)
        .filter(|n| n % 5 == 4)
        .map(|n| {
            // The pixel shader of some is registered here as there.
            plain.register(78, &assemble(RED).unwrap());
            plain.prepare(&stressed(n)).unwrap().key
        })
        .collect();
    let calls = std::sync::atomic::AtomicU64::new(0);
    DRIVER.set(Some(Arc::new(move |key: &PipelineKey| {
        let n = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if n.is_multiple_of(3) {
            std::thread::sleep(Duration::from_micros(n * 37 % 400));
        }
        match refused.contains(key) {
            true => Err(Error::shader("refused")),
            false => Ok(pipeline.clone()),
        }
    })));
}

const RED: &str = "ps_2_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0\n";

fn schedules(rounds: u32, lent: bool) {
    let Some(gpu) = gpu() else { return };
    let folder = folder(&format!("stress-{rounds}"));
    if lent {
        lend_pipelines(&gpu);
    }
    let code = assemble(RED).unwrap();
    let refused = |n: u32| n % 5 == 4;
    let mut random = 0x9E37_79B9_7F4A_7C15u64 ^ u64::from(rounds);
    for round in 0..rounds as usize {
        let workers = round % 4;
        let compiler = compiler(&gpu, Some(&folder), workers);
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                random = random
                    .wrapping_mul(0x5851_F42D_4C95_7F2D)
                    .wrapping_add(round as u64 | 1);
                let mut mine = random;
                let (compiler, start, code) = (&compiler, &start, &code);
                scope.spawn(move || {
                    start.wait();
                    for _ in 0..10 {
                        mine ^= mine << 13;
                        mine ^= mine >> 7;
                        mine ^= mine << 17;
                        let n = (mine >> 32) as u32 % 30;
                        if mine.is_multiple_of(7) {
                            std::thread::sleep(Duration::from_micros(mine % 300));
                        }
                        compiler.register(78, code);
                        let made = stressed(n);
                        let prepared = compiler.prepare(&made).unwrap();
                        let got = compiler.acquire(&made, &prepared, true);
                        assert_eq!(got.is_err(), refused(n), "pipeline {n}");
                    }
                });
            }
        });
        // Every other time it ends in the middle of whatever the workers do.
        if round % 2 == 0 {
            compiler.wait();
            let state = compiler.shared.state.lock();
            let ready = state
                .entries
                .iter()
                .filter(|entry| entry.is_ready())
                .count();
            let stats = &state.stats;
            assert_eq!(stats.draw_builds + stats.background_builds, ready as u64);
        }
    }
    assert!(load(&folder).unwrap().is_clean());
}
