//! Plays every capture of the shared folder through the command and compares
//! what it presents with the reference pictures.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ninefold_d3d9::trace::{Function, TraceWriter, Values};
use serde_json::Value;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

/// Captures whose pictures must match on every GPU. The others lean on how a
/// GPU picks mip levels and rounds, which may differ; they must match on the
/// software rasteriser that drew the references.
const THE_SAME_EVERYWHERE: [&str; 8] = [
    "tri",
    "tri_pp",
    "tex_sysmem",
    "irr_2d",
    "irr_ui",
    "irr_movement",
    "irr_splitscreen",
    "irr_rtt",
];
/// Part of the name of that rasteriser.
const REFERENCE_RASTERISER: &str = "llvmpipe";
/// Largest mean absolute error of a channel, of 255.
const MEAN_BAR: f64 = 1.0;
/// A pixel with a channel off by more than this differs.
const OFF_BY: u8 = 8;
/// Largest share of pixels that differ, in percent.
const OFF_BAR: f64 = 0.5;

/// Frames, draws and calls of each capture, from the folder's README and
/// Debian's `apitrace dump`.
const EXPECTED: [(&str, u64, u64); 16] = [
    ("d3dx", 12, 3_991),
    ("fvf", 0, 62),
    ("irr_2d", 10, 1_722),
    ("irr_lights", 8, 3_738),
    ("irr_movement", 16, 3_548),
    ("irr_occlusion", 3, 61_053),
    ("irr_perpixel", 10, 5_502),
    ("irr_rtt", 12, 1_287),
    ("irr_specialfx", 12, 3_405),
    ("irr_splitscreen", 8, 1_104),
    ("irr_terrain", 6, 2_136),
    ("irr_ui", 6, 2_969),
    ("map_cubemap", 0, 25),
    ("tex_sysmem", 1, 27),
    ("tri", 1, 16),
    ("tri_pp", 1, 20),
];

/// Whether the shared captures are there; says so when they are not.
fn captures_are_there() -> bool {
    if Path::new(TRACES).is_dir() {
        return true;
    }
    let required = std::env::var("NINEFOLD_REQUIRE_SHARED").is_ok_and(|v| v == "1");
    assert!(!required, "{TRACES} is missing");
    eprintln!("skipped: {TRACES} is missing");
    false
}

fn capture(name: &str) -> PathBuf {
    Path::new(TRACES).join(name).join(format!("{name}.trace"))
}

/// A folder of its own for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}\n{}", self.stdout, self.stderr))
    }
}

fn ninefold(args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(args)
        // Reference pictures show what the programs asked for.
        .env("NINEFOLD_NO_ANISO", "1")
        .output()
        .expect("the command starts");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Whether there is a GPU to draw with; says so when there is none.
fn has_gpu(run: &Run) -> bool {
    if run.code != Some(3) {
        return true;
    }
    let required = std::env::var("NINEFOLD_REQUIRE_GPU").is_ok_and(|v| v == "1");
    assert!(!required, "no usable GPU: {}", run.stderr);
    eprintln!("skipped: {}", run.stderr.trim());
    false
}

struct Pixels {
    size: (u32, u32),
    rgb: Vec<u8>,
}

fn read_png(path: &Path) -> Pixels {
    let file = std::io::BufReader::new(fs::File::open(path).expect("the picture exists"));
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a PNG");
    let mut data = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut data).expect("a PNG");
    let channels = info.color_type.samples();
    let rgb = data[..info.buffer_size()]
        .chunks_exact(channels)
        .flat_map(|p| match channels {
            1 | 2 => [p[0]; 3],
            _ => [p[0], p[1], p[2]],
        })
        .collect();
    Pixels {
        size: (info.width, info.height),
        rgb,
    }
}

struct Difference {
    /// Mean absolute error of a channel, of 255.
    mean: f64,
    /// Percent of pixels with a channel off by more than [`OFF_BY`].
    off: f64,
}

fn compare(ours: &Pixels, reference: &Pixels) -> Difference {
    assert_eq!(ours.size, reference.size);
    let sum: u64 = ours
        .rgb
        .iter()
        .zip(&reference.rgb)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    let pixels = ours.rgb.chunks_exact(3).zip(reference.rgb.chunks_exact(3));
    let count = pixels.len();
    let off = pixels
        .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > OFF_BY))
        .count();
    Difference {
        mean: sum as f64 / ours.rgb.len() as f64,
        off: 100.0 * off as f64 / count as f64,
    }
}

fn references(name: &str) -> Vec<String> {
    let Ok(folder) = fs::read_dir(Path::new(TRACES).join(name).join("reference")) else {
        return Vec::new();
    };
    let mut names: Vec<String> = folder
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".png"))
        .collect();
    names.sort();
    names
}

#[test]
fn every_capture_plays_to_its_end_and_looks_as_it_should() {
    if !captures_are_there() {
        return;
    }
    let mut table = String::new();
    let mut wrong = Vec::new();
    let mut adapter = String::new();
    for (name, frames, calls) in EXPECTED {
        let folder = scratch(&format!("pictures/{name}"));
        let output = folder.to_str().expect("a UTF-8 path");
        let file = capture(name);
        let file = file.to_str().expect("a UTF-8 path");
        let run = ninefold(&["replay", file, "-o", output, "--all", "--json"]);
        if !has_gpu(&run) {
            return;
        }
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let summary = run.json();
        assert_eq!(summary["calls"], calls, "{name}");
        assert_eq!(summary["frames"], frames, "{name}");
        for kind in ["unknown", "failed"] {
            for trouble in summary[kind].as_array().expect("a list") {
                wrong.push(format!("{name}: {kind} {trouble}"));
            }
        }
        if let Some(text) = summary["adapter"].as_str().filter(|text| !text.is_empty()) {
            adapter = text.to_owned();
        }

        let references = references(name);
        for reference in &references {
            let expected = read_png(
                &Path::new(TRACES)
                    .join(name)
                    .join("reference")
                    .join(reference),
            );
            let ours = read_png(&folder.join(reference));
            let Difference { mean, off } = compare(&ours, &expected);
            let held = mean <= MEAN_BAR && off <= OFF_BAR;
            let must =
                THE_SAME_EVERYWHERE.contains(&name) || adapter.contains(REFERENCE_RASTERISER);
            let verdict = match (held, must) {
                (true, _) => "held",
                (false, true) => "MISSED",
                (false, false) => "beyond",
            };
            table += &format!("{name:<16} {reference:<14} {mean:>8.3} {off:>8.3}  {verdict}\n");
            if must && !held {
                wrong.push(format!(
                    "{name} {reference}: mean {mean:.3}, {off:.3} % off"
                ));
            }
        }
    }
    // Straight to the stream: the table is there to be read when the test passes, too.
    let head = "capture          frame          mean/255  % off>8  bar";
    let _ = writeln!(std::io::stderr(), "adapter: {adapter}\n{head}\n{table}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_the_last_frame_is_written_by_default() {
    if !captures_are_there() {
        return;
    }
    let folder = scratch("last");
    let output = folder.to_str().expect("a UTF-8 path");
    let file = capture("irr_splitscreen");
    let file = file.to_str().expect("a UTF-8 path");
    let run = ninefold(&["replay", file, "-o", output]);
    if !has_gpu(&run) {
        return;
    }
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let written: Vec<_> = fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(written, ["frame007.png"]);
    for word in [
        "calls",
        "frames      8",
        "draws",
        "pipelines",
        "frame time",
        "unknown",
    ] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    let run = ninefold(&["replay", file, "-o", output, "--frames", "2..4", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.json()["pictures"].as_array().map(Vec::len), Some(2));
    assert!(folder.join("frame002.png").exists() && folder.join("frame003.png").exists());
    let run = ninefold(&["replay", file, "-o", output, "--frames", "100..200"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("the range 100..200 holds no frame of the capture's 8"),
        "{}",
        run.stderr
    );
}

#[test]
fn wrong_usage_and_wrong_input_are_told_apart() {
    let folder = scratch("wrong");
    let output = folder.to_str().expect("a UTF-8 path");
    for args in [
        &["replay"][..],
        &["replay", "x", "--frames", "5..2"],
        &["replay", "x", "--no"],
    ] {
        let run = ninefold(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
    }
    let missing = ninefold(&["replay", "no-such-file.trace", "-o", output]);
    assert_eq!(missing.code, Some(1), "{}", missing.stderr);
    assert!(
        missing.stderr.contains("no-such-file.trace"),
        "{}",
        missing.stderr
    );
    let text = folder.join("text.trace");
    fs::write(&text, "this is text\n").expect("a file");
    let text = text.to_str().expect("a UTF-8 path");
    let run = ninefold(&["replay", text, "-o", output]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr.contains("not an apitrace capture"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_capture_without_a_device_fails_and_leaves_nothing() {
    static BEGIN: Function = Function {
        name: "IDirect3DDevice9::BeginScene",
        args: &["this"],
    };
    static PRESENT: Function = Function {
        name: "IDirect3DDevice9::Present",
        args: &["this"],
    };
    let folder = scratch("no device");
    let file = folder.join("calls.trace");
    let out = fs::File::create(&file).expect("a file");
    let mut writer = TraceWriter::new(Box::new(out), &[]);
    for function in [&BEGIN, &PRESENT] {
        let result = |v: &mut Values<'_>| v.returned().uint(0);
        writer.call(0, function, |v| v.pointer(0x200), result);
    }
    writer.finish().expect("a capture");
    let pictures = folder.join("pictures");
    let output = pictures.to_str().expect("a UTF-8 path");
    let run = ninefold(&["replay", file.to_str().expect("UTF-8"), "-o", output]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let last = run.stderr.lines().last().expect("a message");
    assert!(
        last.ends_with(
            "no frame was shown; 2 of 2 calls failed that had succeeded when they were recorded, \
             first call 0, IDirect3DDevice9::BeginScene: argument this: 0x200 is not a live device"
        ),
        "{last}"
    );
    assert!(run.stderr.contains("WARN"), "{}", run.stderr);
    assert!(!run.stderr.contains('\x1b'), "{:?}", run.stderr);
    assert!(!pictures.exists());

    // A folder opens and cannot be read; the reason is told once.
    let run = ninefold(&["replay", folder.to_str().expect("UTF-8"), "-o", output]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.stderr.matches("os error").count(), 1, "{}", run.stderr);
    assert!(!pictures.exists());
}

#[test]
fn a_cut_capture_plays_as_far_as_it_goes_and_says_so() {
    if !captures_are_there() {
        return;
    }
    let folder = scratch("cut");
    let output = folder.to_str().expect("a UTF-8 path");
    let whole = fs::read(capture("tri_pp")).expect("a capture");
    let cut = folder.join("cut.trace");
    fs::write(&cut, &whole[..whole.len() - 10]).expect("a file");
    let cut = cut.to_str().expect("a UTF-8 path");
    let run = ninefold(&["replay", cut, "-o", output, "--json"]);
    if !has_gpu(&run) {
        return;
    }
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("cut off"), "{}", run.stderr);
}
