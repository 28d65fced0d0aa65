//! The layers of the replay, on captures that the tests write themselves and
//! on damaged ones.

use std::io::Write;
use std::sync::{Arc, Mutex};

use ninefold_d3d9::DeviceSettings;
use ninefold_d3d9::trace::{Call, Function, Structure, TraceReader, TraceWriter, Values};

use super::args::Args;
use super::player::with_samples;
use super::*;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

/// An output that can be looked at afterwards.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

/// The adapter that the environment asks for.
pub(super) fn settings() -> DeviceSettings {
    let mut settings = Settings::from_env("tests").device();
    settings.renderer.pipeline_cache_dir = None;
    settings
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn capture(calls: impl FnOnce(&mut TraceWriter)) -> Vec<u8> {
    let out = Shared::default();
    let mut writer = TraceWriter::new(Box::new(out.clone()), &[("process.name", "unit test")]);
    calls(&mut writer);
    writer.finish().unwrap();
    out.bytes()
}

fn one_call(function: &'static Function, enter: impl FnOnce(&mut Values<'_>)) -> Call {
    let file = capture(|w| w.call(0, function, enter, |_| {}));
    TraceReader::new(&file[..])
        .unwrap()
        .next_call()
        .unwrap()
        .unwrap()
}

fn replay(file: &[u8]) -> Result<Summary> {
    play(file, settings(), Wanted::Last.into(), None, &mut |_| Ok(()))
}

#[test]
fn arguments_are_read_by_name_and_kind() {
    static F: Function = Function {
        name: "f",
        args: &["n", "x", "p", "b", "v", "r", "out"],
    };
    static RECT: Structure = Structure {
        name: "RECT",
        fields: &["left", "top", "right", "bottom"],
    };
    let call = one_call(&F, |v| {
        v.uint(7);
        v.float(1.5);
        v.pointer(0x1000);
        v.blob(&[1, 2, 3, 4, 5, 6, 7, 8]);
        v.array([1.0f32, 2.0, 3.0, 4.0].iter(), |v, x| v.float(*x));
        v.pointer_to(|v| {
            v.structure(&RECT, |v| [-1, 2, 3, 4].iter().for_each(|n| v.int(*n)));
        });
        v.pointer_to(|v| v.pointer(0x2000));
    });
    let args = Args::new(&call);
    assert_eq!(args.u32("n").unwrap(), 7);
    assert_eq!(args.f32("x").unwrap(), 1.5);
    assert_eq!(
        args.u32("x").unwrap(),
        1.5f32.to_bits(),
        "a float state gives its bits"
    );
    assert_eq!(args.pointer("p").unwrap(), 0x1000);
    assert_eq!(args.tokens("b").unwrap(), [0x0403_0201, 0x0807_0605]);
    assert_eq!(args.floats("v").unwrap(), [[1.0, 2.0, 3.0, 4.0]]);
    let rect = args.rect("r").unwrap().unwrap();
    assert_eq!(
        (rect.left, rect.top, rect.right, rect.bottom),
        (-1, 2, 3, 4)
    );
    assert_eq!(args.stored_pointer("out").unwrap(), 0x2000);
    let text = |e: error::CallError| e.to_string();
    assert_eq!(
        text(args.u32("b").unwrap_err()),
        "argument b: expected an integer, found blob"
    );
    assert_eq!(
        text(args.u32("nothing").unwrap_err()),
        "argument nothing: it is not in the capture"
    );
    assert_eq!(
        text(args.viewport("r").unwrap_err()),
        "argument X: the field is missing"
    );
}

#[test]
fn calls_of_no_device_are_counted_without_a_gpu() {
    static CREATE: Function = Function {
        name: "Direct3DCreate9",
        args: &["SDKVersion"],
    };
    static ODD: Function = Function {
        name: "IDirect3D9::Dance",
        args: &["this"],
    };
    static LOST: Function = Function {
        name: "IDirect3DDevice9::BeginScene",
        args: &["this"],
    };
    static PERF: Function = Function {
        name: "D3DPERF_EndEvent",
        args: &[],
    };
    let file = capture(|w| {
        w.call(0, &CREATE, |v| v.uint(32), |v| v.returned().pointer(0x100));
        for _ in 0..3 {
            w.call(0, &ODD, |v| v.pointer(0x100), |_| {});
        }
        w.call(0, &LOST, |v| v.pointer(0x200), |_| {});
        w.call(0, &PERF, |_| {}, |v| v.returned().uint(0));
        w.memory(0, 0x5000, &[1, 2, 3]);
    });
    let summary = replay(&file).unwrap();
    assert_eq!((summary.calls, summary.frames, summary.draws), (7, 0, 0));
    assert_eq!(summary.program, "unit test");
    let [unknown] = &summary.unknown[..] else {
        panic!("{:?}", summary.unknown)
    };
    assert_eq!(
        (&unknown.call[..], unknown.count, unknown.first),
        ("IDirect3D9::Dance", 3, 1)
    );
    let failed: Vec<&str> = summary.failed.iter().map(|t| &t.why[..]).collect();
    assert_eq!(
        failed,
        [
            "argument this: 0x200 is not a live device",
            "argument dest: 0x5000 is not a live locked range"
        ]
    );
    let text = summary.to_string();
    assert!(
        text.contains("3 x IDirect3D9::Dance (first: call 1)"),
        "{text}"
    );
}

#[test]
fn samples_that_are_missing_are_replaced() {
    use ninefold_d3d9::HResult;
    let only = |available: u32| {
        move |samples: u32| match samples {
            0 => Ok(samples),
            n if n == available => Ok(samples),
            _ => Err(HResult::NOTAVAILABLE),
        }
    };
    assert_eq!(with_samples(0, only(4)), Ok(0));
    assert_eq!(with_samples(4, only(4)), Ok(4));
    assert_eq!(with_samples(8, only(4)), Ok(4));
    assert_eq!(with_samples(8, only(2)), Ok(0));
    let refused = with_samples(8, |_| Err::<u32, _>(HResult::INVALIDCALL));
    assert_eq!(refused, Err(HResult::INVALIDCALL), "another refusal stands");
}

/// Plays a damaged capture; only a missing GPU may stop it otherwise than with
/// an error or a note in the summary.
fn play_damaged(file: &[u8]) {
    if let Ok(summary) = replay(file) {
        let _ = summary.to_string();
    }
}

/// The bytes inside a capture's compressed blocks.
fn unpack(file: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut at = 2;
    while let Some(len) = file.get(at..at + 4) {
        let len = u32::from_le_bytes(len.try_into().unwrap()) as usize;
        let block = &file[at + 4..at + 4 + len];
        plain.extend_from_slice(&snap::raw::Decoder::new().decompress_vec(block).unwrap());
        at += 4 + len;
    }
    plain
}

/// A capture around a stream.
fn pack(plain: &[u8]) -> Vec<u8> {
    let mut file = b"at".to_vec();
    for part in plain.chunks(1 << 20) {
        let block = snap::raw::Encoder::new().compress_vec(part).unwrap();
        file.extend_from_slice(&(block.len() as u32).to_le_bytes());
        file.extend_from_slice(&block);
    }
    file
}

/// Plays a capture cut at `cuts` places and with `changes` changes from the
/// `seed`th on, outside and inside its compressed blocks: the blocks' own checks
/// catch most changes outside.
fn damage(name: &str, cuts: usize, changes: usize, seed: usize) {
    let Ok(whole) = std::fs::read(format!("{TRACES}/{name}/{name}.trace")) else {
        let required = std::env::var("NINEFOLD_REQUIRE_SHARED").is_ok_and(|v| v == "1");
        assert!(!required, "{TRACES} is missing");
        eprintln!("skipped: {TRACES} is missing");
        return;
    };
    let plain = unpack(&whole);
    for part in 0..cuts {
        play_damaged(&whole[..whole.len() * part / cuts]);
        play_damaged(&pack(&plain[..plain.len() * part / cuts]));
    }
    for n in 0..changes {
        play_damaged(&pack(&change(&plain, seed + n)));
        if n % 8 == 0 {
            play_damaged(&change(&whole, seed + n));
        }
    }
}

/// The `n`th change to `bytes`: a flipped bit, a byte of ones, a byte of zeros,
/// or two bytes exchanged.
fn change(bytes: &[u8], n: usize) -> Vec<u8> {
    // A multiplier that shares no factor with the length visits distinct bits.
    let bit = n.wrapping_mul(1_000_003) % (bytes.len() * 8);
    let (at, other) = (bit / 8, bit % bytes.len());
    let mut changed = bytes.to_vec();
    match n % 8 {
        5 => changed[at] = 0xff,
        6 => changed[at] = 0,
        7 => changed.swap(at, other),
        _ => changed[at] ^= 1 << (bit % 8),
    }
    changed
}

#[test]
fn damaged_captures_never_panic() {
    damage("tri_pp", 24, 96, 0);
    damage("map_cubemap", 8, 32, 0);
    damage("d3dx", 4, 12, 0);
}

/// Minutes long: `cargo test -p ninefold -- --ignored damaged`. Other changes
/// with another `NINEFOLD_FUZZ_SEED`, a number.
#[test]
#[ignore = "takes minutes"]
fn damaged_captures_of_every_kind_never_panic() {
    let seed = std::env::var("NINEFOLD_FUZZ_SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    for (name, cuts, changes) in [
        ("d3dx", 16, 200),
        ("irr_rtt", 16, 200),
        ("irr_ui", 8, 100),
        ("irr_terrain", 8, 100),
        ("irr_specialfx", 8, 100),
        ("tri_pp", 64, 1_000),
        ("tex_sysmem", 64, 1_000),
        ("map_cubemap", 64, 1_000),
    ] {
        let start = Instant::now();
        damage(name, cuts, changes, seed);
        eprintln!(
            "{name}: {cuts} cuts, {changes} changes in {:?}",
            start.elapsed()
        );
    }
}
