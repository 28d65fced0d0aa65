//! `ninefold pack`: what a mod's author does, and what an odd file is told.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn pack(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .arg("pack")
        .args(arguments)
        .output()
        .unwrap()
}

fn good(arguments: &[&str]) -> String {
    let output = pack(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is said, on both outputs, when it ends with this code.
fn bad(code: i32, arguments: &[&str]) -> String {
    let output = pack(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    format!("{}{said}", String::from_utf8_lossy(&output.stdout))
}

/// A folder with some ps_2_0 shaders, `c<n>.asm` writing constant n.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for n in 0..4 {
        let text = format!("ps_2_0\nmov oC0, c{n}\n");
        std::fs::write(folder.join(format!("c{n}.asm")), text).unwrap();
    }
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_pack_is_built_listed_checked_taken_apart_and_built_again() {
    let folder = scratch("pack_round");
    let file = |name: &str| path(&folder, name);
    let mods = file("mods.hvs");
    let (a, b, c, d) = (
        file("c0.asm"),
        file("c1.asm"),
        file("c2.asm"),
        file("c3.asm"),
    );
    good(&["build", &a, &b, &c, &d, "-o", &mods]);
    let bytes = std::fs::read(&mods).unwrap();
    // Header, two pairs of sizes, four shaders of five tokens.
    assert_eq!(bytes.len(), 16 + 2 * 8 + 4 * 20);
    assert_eq!(bytes[..12], *b"HVSHD001\x02\0\0\0");

    let listed: serde_json::Value =
        serde_json::from_str(&good(&["list", &mods, "--json"])).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!(listed[1]["replacement"]["bytes"], 20);
    assert!(
        good(&["list", &mods]).contains(listed[0]["original"]["content_key"].as_str().unwrap())
    );
    assert!(good(&["check", &mods]).ends_with("2 entries, all good\n"));

    for text in [false, true] {
        let out = file(&format!("out{text}"));
        let mut arguments = vec!["extract", &mods, "-o", &out];
        arguments.extend(text.then_some("--text"));
        good(&arguments);
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 4);
        let again = file("again.hvs");
        good(&["build", &out, "-o", &again]);
        assert_eq!(std::fs::read(&again).unwrap(), bytes);
    }
}

#[test]
fn mistakes_are_named() {
    let folder = scratch("pack_mistakes");
    let file = |name: &str| path(&folder, name);
    let (a, b, mods) = (file("c0.asm"), file("c1.asm"), file("mods.hvs"));

    assert!(bad(2, &["build", &a, "-o", &mods]).contains("pairs"));
    assert!(bad(1, &["build", &a, &b, &a, &b, "-o", &mods]).contains("entry 1"));
    let other = file("other.asm");
    std::fs::write(&other, "ps_3_0\nmov oC0, c0\n").unwrap();
    let said = bad(1, &["build", &a, &other, "-o", &mods]);
    assert!(
        said.contains("expected ps_2_0") && said.contains("other.asm"),
        "{said}"
    );
    let empty = file("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(bad(1, &["build", &empty, "-o", &mods]).contains("no NAME.original"));
    std::fs::write(Path::new(&empty).join("x.original.asm"), "").unwrap();
    assert!(bad(1, &["build", &empty, "-o", &mods]).contains("no x.replacement"));
    assert!(!Path::new(&mods).exists(), "a mistake leaves no file");

    for (name, bytes, why) in [
        ("nothing.hvs", &b""[..], "cut off"),
        ("text.hvs", b"not a pack at all", "HVSHD001"),
    ] {
        std::fs::write(file(name), bytes).unwrap();
        for verb in ["list", "check"] {
            let said = bad(1, &[verb, &file(name)]);
            assert!(said.contains(name) && said.contains(why), "{said}");
        }
    }
    assert!(bad(1, &["list", &file("missing.hvs")]).contains("missing.hvs"));
}

/// A pipe or a device is refused, and waited for by nobody.
#[cfg(unix)]
#[test]
fn packs_are_files() {
    let folder = scratch("pack_pipes");
    let file = |name: &str| path(&folder, name);
    let pipe = file("pipe.hvs");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for name in [&pipe, "/dev/zero"] {
        for verb in ["list", "check"] {
            let said = bad(1, &[verb, name]);
            assert!(
                said.contains(name) && said.contains("regular file"),
                "{said}"
            );
        }
    }
    let (a, b) = (file("c0.asm"), file("c1.asm"));
    let said = bad(1, &["build", &a, &b, "-o", &pipe]);
    assert!(
        said.contains("pipe.hvs") && said.contains("regular file"),
        "{said}"
    );
}

#[test]
fn check_translates_every_replacement() {
    let folder = scratch("pack_check");
    let mods = path(&folder, "mods.hvs");
    good(&[
        "build",
        &path(&folder, "c0.asm"),
        &path(&folder, "c1.asm"),
        "-o",
        &mods,
    ]);
    let mut bytes = std::fs::read(&mods).unwrap();
    // The replacement's source becomes c200, which ps_2_0 does not have: a pack by the format's
    // rules, but no shader.
    let source = bytes.len() - 8;
    bytes[source] = 200;
    std::fs::write(&mods, &bytes).unwrap();
    good(&["list", &mods]);
    let said = bad(1, &["check", &mods]);
    assert!(
        said.contains("entry 0: replacement") && said.contains("c200"),
        "{said}"
    );
    // And one that replaces nothing.
    bytes[source] = 0;
    std::fs::write(&mods, &bytes).unwrap();
    assert!(bad(1, &["check", &mods]).contains("the replacement is the original"));
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = scratch("pack_over_input");
    let (a, b) = (path(&folder, "c0.asm"), path(&folder, "c1.asm"));
    let same = folder.join("../pack_over_input/c0.asm");
    for output in [&a, &b, same.to_str().unwrap()] {
        let said = bad(2, &["build", &a, &b, "-o", output]);
        assert!(said.contains("take the place of an input"), "{said}");
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.args(arguments).output().unwrap().status.code()
    };
    for more in [
        &["asm"][..],
        &["disasm"],
        &["translate", "--to", "wgsl"],
        &["fog"],
        &["pv", "--vertices", &b],
    ] {
        let arguments = [more, &[&a, "-o", &a]].concat();
        assert_eq!(run(&arguments), Some(2), "{arguments:?}");
    }
    assert_eq!(std::fs::read(&a).unwrap(), b"ps_2_0\nmov oC0, c0\n");
}
