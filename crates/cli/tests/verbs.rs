//! The command as a user meets it: output, exit codes, standard input and output.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const PIXEL: &str = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n";

fn ninefold(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments)
        .env("NINEFOLD_PIPELINE_CACHE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// `ps_2_0; mov oC0, c0` as D3D9's documentation encodes it.
const TOKENS: [u32; 5] = [
    0xFFFF_0200,
    0x0200_0001,
    0x800F_0800,
    0xA0E4_0000,
    0x0000_FFFF,
];

fn bytes_of(tokens: &[u32]) -> Vec<u8> {
    tokens
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .collect()
}

#[test]
fn text_becomes_tokens_and_tokens_text() {
    let assembled = ninefold(&["asm", "-", "-o", "-"], b"ps_2_0\nmov oC0, c0\n");
    assert_eq!(code(&assembled), 0, "{}", said(&assembled));
    assert_eq!(assembled.stdout, bytes_of(&TOKENS));

    let text = ninefold(&["disasm", "-"], &bytes_of(&TOKENS));
    assert_eq!(code(&text), 0, "{}", said(&text));
    let text = String::from_utf8(text.stdout).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    assert_eq!(lines, ["ps_2_0", "mov oC0, c0"]);
}

#[test]
fn json_tells_version_and_key() {
    let output = ninefold(&["disasm", "--json", "-"], &bytes_of(&TOKENS));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["version"], "ps_2_0");
    assert_eq!(json["tokens"], 5);
    assert_eq!(json["instructions"], 1);
    assert_eq!(json["content_key"].as_str().unwrap().len(), 16);
}

#[test]
fn every_language_is_written() {
    let folder = scratch("languages");
    let shader = folder.join("shader.bin");
    let shader = shader.to_str().unwrap();
    let assembled = ninefold(&["asm", "-", "-o", shader], PIXEL.as_bytes());
    assert_eq!(code(&assembled), 0, "{}", said(&assembled));
    for (language, sign) in [
        ("wgsl", "@fragment"),
        ("msl", "fragment "),
        ("hlsl", "SV_Target0"),
        ("glsl", "#version"),
    ] {
        let output = ninefold(&["translate", shader, "--to", language], b"");
        assert_eq!(code(&output), 0, "{language}: {}", said(&output));
        assert!(
            String::from_utf8_lossy(&output.stdout).contains(sign),
            "{language}"
        );
    }
    let output = ninefold(&["translate", shader, "--to", "spirv"], b"");
    assert_eq!(output.stdout[..4], 0x0723_0203u32.to_le_bytes());
}

#[test]
fn bad_input_is_1_and_names_the_place() {
    let output = ninefold(&["asm", "-", "-o", "-"], b"ps_2_0\nmov oC0,\n");
    assert_eq!(code(&output), 1);
    assert!(
        said(&output).starts_with("ninefold: standard input:2:"),
        "{}",
        said(&output)
    );

    let output = ninefold(&["disasm", "-"], &bytes_of(&TOKENS[..4]));
    assert_eq!(code(&output), 1);
    assert!(said(&output).contains("byte 0x"), "{}", said(&output));

    let output = ninefold(&["replay", "no such file.trace"], b"");
    assert_eq!(code(&output), 1);
    assert!(
        said(&output).contains("no such file.trace"),
        "{}",
        said(&output)
    );
}

#[test]
fn check_looks_at_every_file() {
    let folder = scratch("check");
    let (good, bad) = (folder.join("good.bin"), folder.join("bad.bin"));
    std::fs::write(&good, bytes_of(&TOKENS)).unwrap();
    std::fs::write(&bad, b"not a shader").unwrap();
    let output = ninefold(
        &["check", bad.to_str().unwrap(), good.to_str().unwrap()],
        b"",
    );
    assert_eq!(code(&output), 1);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().next().unwrap().contains("bad.bin"), "{text}");
    assert!(
        text.lines().nth(1).unwrap().ends_with("ps_2_0, 5 tokens"),
        "{text}"
    );
    assert_eq!(code(&ninefold(&["check", good.to_str().unwrap()], b"")), 0);
}

#[test]
fn wrong_usage_is_2() {
    for arguments in [
        &["replay"][..],
        &["paint"],
        &["translate", "-", "--to", "cobol"],
        &["asm", "-", "--json", "-o", "-"],
        &["replay", "x.trace", "--fps", "30"],
        &[],
    ] {
        assert_eq!(code(&ninefold(arguments, b"")), 2, "{arguments:?}");
    }
}

#[test]
fn no_driver_is_3_and_names_the_package() {
    let output = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["demo", "-o"])
        .arg(scratch("no driver"))
        .env("VK_DRIVER_FILES", "/nonexistent")
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .output()
        .unwrap();
    assert_eq!(code(&output), 3, "{}", said(&output));
    assert!(
        said(&output).contains("mesa-vulkan-drivers"),
        "{}",
        said(&output)
    );
}

#[test]
fn the_demo_replays_as_it_was_drawn() {
    let folder = scratch("demo");
    let output = ninefold(
        &[
            "demo",
            "--frames",
            "3",
            "--panorama",
            "--json",
            "-o",
            folder.to_str().unwrap(),
        ],
        b"",
    );
    if code(&output) == 3 && std::env::var_os("NINEFOLD_REQUIRE_GPU").is_none() {
        eprintln!("skipped: {}", said(&output));
        return;
    }
    assert_eq!(code(&output), 0, "{}", said(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    eprintln!("adapter: {}", json["live"]["adapter"].as_str().unwrap());
    assert_eq!(json["different"], serde_json::json!([]));
    assert_eq!(json["replay"]["frames"], 3);
    assert_eq!(json["replay"]["unknown"], serde_json::json!([]));
    // Later frames use the pipelines that the first one built.
    assert_eq!(json["live"]["frames"][2]["pipelines"], 0);
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("All 3 frames of the replay are identical"));
    // At the joins of its bearings depth fog shows, and radial fog does not.
    let step = |which: &str| json["panorama"][which]["worst"].as_f64().unwrap();
    assert!(step("on") < 1.0 / 255.0, "{}", json["panorama"]);
    assert!(step("off") > 8.0 / 255.0, "{}", json["panorama"]);
    assert!(page.contains("Worst brightness step along the joins of the panorama: "));
    assert!(page.contains("<img src=\"panorama.png\""));
    assert!(folder.join("panorama.png").exists());
    assert!(folder.join("frame000.png").exists());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["disasm", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(&bytes_of(&TOKENS)).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), &said(&output)[..]), (0, ""));
}
