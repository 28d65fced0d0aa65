//! `ninefold guest`: routines of the reference image, of raw images and of executables.

use std::path::PathBuf;
use std::process::{Command, Output};

fn guest(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .arg("guest")
        .args(arguments)
        .output()
        .unwrap()
}

/// Standard output, when it ends with this code, and standard error.
fn said(code: i32, arguments: &[&str]) -> (String, String) {
    let output = guest(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Byte 127 of 254 halves an axis, FFh is its end: 0 to 8 becomes 4 to 8 in x.
const NODE_BOUNDS: [&str; 16] = [
    "run",
    "--call",
    "0x553380",
    "--map",
    "0x900000:0x1000",
    "--set",
    "ecx=0x900000",
    "--set",
    "edx=0x900100",
    "--set",
    "esi=0x900200",
    "--write",
    "0x900000=f:0,8,0,8,0,8",
    "--write",
    "0x900100=7fff00ff00ff",
    "--trace",
];

#[test]
fn a_routine_of_the_reference_image_is_called() {
    let (report, trace) = said(0, &NODE_BOUNDS);
    assert!(report.starts_with("0x00553380 returned after "), "{report}");
    // The last byte was FFh, so that eax is the bits of 8.0.
    assert!(
        report.contains("\neax  41000000  was 00000000\n"),
        "{report}"
    );
    // 4.0 and 8.0 of x, their zero bytes left out, as they did not change.
    assert!(report.contains("\n00900202  8040  was 0000\n"), "{report}");
    assert!(trace.starts_with("00553380  sub esp,8h\n"), "{trace}");
    assert!(trace.ends_with("  ret\n"), "{trace}");
}

#[test]
fn the_call_in_the_readme_returns() {
    let readme = include_str!("../../../README.md");
    let line = readme
        .lines()
        .find_map(|line| line.strip_prefix("ninefold guest "));
    let (command, _) = line.unwrap().split_once('#').unwrap();
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let (report, _) = said(0, &arguments);
    assert!(report.starts_with("0x00553380 returned"), "{report}");
}

#[test]
fn the_report_is_json_too() {
    let mut arguments = NODE_BOUNDS.to_vec();
    arguments.push("--json");
    let report: serde_json::Value = serde_json::from_str(&said(0, &arguments).0).unwrap();
    assert_eq!(report["returned"], true);
    assert_eq!(report["registers"][0]["at"], "eax");
    assert_eq!(report["registers"][0]["new"], "41000000");
    assert_eq!(report["x87"]["top"], 0);
    // The last decoded bound was 0, and the last extent 8.
    assert_eq!(report["x87"]["slots"][7]["value"], 0.0);
    assert_eq!(report["x87"]["slots"][6]["value"], 8.0);
}

#[test]
fn a_raw_image_takes_arguments_and_an_x87() {
    // fadd dword ptr [esp+4]; mov eax, [esp+8]; ret
    let image = file("add.bin", &[0xD8, 0x44, 0x24, 4, 0x8B, 0x44, 0x24, 8, 0xC3]);
    let (report, _) = said(
        0,
        &[
            "run",
            &image,
            "--base",
            "0x10000",
            "--call",
            "0x10000",
            "--push",
            "0x40000000",
            "--push",
            "-1",
            "--st",
            "1.5",
        ],
    );
    assert!(
        report.starts_with("0x00010000 returned after 3 instructions\n"),
        "{report}"
    );
    assert!(
        report.contains("\neax  ffffffff  was 00000000\n"),
        "{report}"
    );
    assert!(
        report.contains("\nst0  400c000000000000  3.5  was 3ff8000000000000\n"),
        "{report}"
    );
}

#[test]
fn what_goes_wrong_is_said_with_its_place() {
    let cpuid = file("cpuid.bin", &[0x0F, 0xA2]);
    let (report, _) = said(
        1,
        &["run", &cpuid, "--base", "0x10000", "--call", "0x10000"],
    );
    assert!(
        report.contains("at 0x00010000: the interpreter does not have cpuid"),
        "{report}"
    );

    let endless = file("endless.bin", &[0xEB, 0xFE]);
    let bounded = [
        "run", &endless, "--base", "65536", "--call", "65536", "--limit", "10",
    ];
    let (report, _) = said(1, &bounded);
    assert!(
        report.contains("the instruction limit is reached; after 10 "),
        "{report}"
    );

    let (_, error) = said(1, &["run", &endless, "--call", "0x401000"]);
    assert!(
        error.contains("endless.bin: not a 32-bit Windows executable"),
        "{error}"
    );
    let (_, error) = said(1, &["run", "--call", "1", "--map", "0x553000:4"]);
    assert!(
        error.contains("--map: page 0x00553000 is mapped already"),
        "{error}"
    );
    let (_, error) = said(1, &["run", "--call", "1", "--write", "0x900000=00"]);
    assert!(
        error.contains("--write: address 0x00900000 is not mapped"),
        "{error}"
    );
    let (_, error) = said(1, &["run", "--call", "1", "--stack", "4096"]);
    assert!(error.contains("has not 64 KiB below it"), "{error}");
    let (_, error) = said(2, &["run", "--call", "main"]);
    assert!(error.contains("`main` is no 32-bit number"), "{error}");
    said(2, &["run", "--call", "1", "--set", "ax=1"]);
    said(2, &["run", "--call", "1", "--base", "0x1000"]);
    let between = ["run", &endless, "--call", "0x10001", "--base", "0x10001"];
    let (_, error) = said(2, &between);
    assert!(error.contains("is no multiple of 4096"), "{error}");
    let nine = [["--st", "1"]; 9].concat();
    let (_, error) = said(2, &[&["run", "--call", "0x553380"], &nine[..]].concat());
    assert!(error.contains("room for eight"), "{error}");
}

#[test]
fn natives_are_held_against_an_executable() {
    let exe = file("reference.exe", &ninefold_guest::reference::executable());
    let (table, _) = said(0, &["verify", "--exe", &exe, "--trials", "20"]);
    assert!(table.starts_with("address   routine "), "{table}");
    assert_eq!(
        table.lines().filter(|line| line.starts_with("00")).count(),
        12
    );
    assert!(table.ends_with("\nall agree\n"), "{table}");

    let (json, _) = said(0, &["verify", "--exe", &exe, "--trials", "5", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["address"], "004cc0d0");
    assert_eq!(rows[0]["different"], 0);

    // The matrix product adds where it should multiply: fmul dword ptr [edx], the scale's.
    let mut bytes = ninefold_guest::reference::executable();
    let start = 0x400 + 0x004C_C0D0 - 0x0044_A000;
    let product = bytes[start..]
        .windows(4)
        .position(|bytes| bytes == [0xD9, 0x01, 0xD8, 0x0A])
        .unwrap();
    bytes[start + product + 3] = 0x02;
    let exe = file("other.exe", &bytes);
    let (table, _) = said(1, &["verify", "--exe", &exe, "--trials", "20"]);
    assert!(table.contains("\nmatrix product, input "), "{table}");
    assert!(
        table.ends_with("is not what this executable does\n"),
        "{table}"
    );

    // A call that leads elsewhere: one routine is left out, the others are compared.
    let mut bytes = ninefold_guest::reference::executable();
    let start = 0x400 + 0x0055_3920 - 0x0044_A000;
    let call = bytes[start..]
        .iter()
        .position(|&byte| byte == 0xE8)
        .unwrap();
    bytes[start + call + 1] ^= 0x10;
    let exe = file("calls.exe", &bytes);
    let (table, _) = said(1, &["verify", "--exe", &exe, "--trials", "20"]);
    let end = "\nvisible surfaces: not compared, this executable's calls other functions\n\
               \nnot all were compared\n";
    assert!(table.ends_with(end), "{table}");

    said(2, &["verify", "--exe", &exe, "--trials", "0"]);
    let text = file("text.exe", b"no program");
    let (_, error) = said(1, &["verify", "--exe", &text]);
    assert!(
        error.contains("text.exe: not a 32-bit Windows executable"),
        "{error}"
    );
    let (_, error) = said(1, &["verify", "--exe", "-"]);
    assert!(
        error.contains("standard input: not a 32-bit Windows executable"),
        "{error}"
    );
    said(2, &["verify"]);
}

#[test]
fn the_bench_has_a_row_for_each_routine_and_one_for_nine_views() {
    let (table, _) = said(0, &["bench", "--time", "2", "--surfaces", "2000"]);
    assert!(table.contains("\nmatrix product "), "{table}");
    assert!(table.contains("\nnine views "), "{table}");
    assert_eq!(table.lines().count(), 12);
    let arguments = ["bench", "--time", "1", "--surfaces", "0", "--json"];
    let rows: serde_json::Value = serde_json::from_str(&said(0, &arguments).0).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 10);
    assert!(rows[0]["ratio"].as_f64().unwrap() > 0.0);
    said(2, &["bench", "--time", "0"]);
    said(2, &["bench", "--surfaces", "4294967295"]);
}
