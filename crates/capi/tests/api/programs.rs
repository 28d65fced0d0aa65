//! C and C++ programs over `libninefold`, each of which checks itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::*;

/// A program of `tests/c`, compiled; `None` without a compiler.
fn built(file: &str, link: Link) -> Option<PathBuf> {
    let compiler = if file.ends_with(".cpp") { "g++" } else { "gcc" };
    if !can_compile(compiler) {
        return None;
    }
    let folder = scratch(&match link {
        Link::Dynamic => file.to_owned(),
        Link::Static => format!("{file}-static"),
    });
    let source = crate_dir().join("tests/c").join(file);
    Some(compile(&source, &folder, link))
}

/// Compiles a program of `tests/c` and runs it.
fn program(file: &str, link: Link) {
    if let Some(program) = built(file, link) {
        run(&mut Command::new(program));
    }
}

macro_rules! programs {
    ($($name:ident: $file:literal, $link:ident;)*) => {$(
        #[test]
        fn $name() {
            program($file, Link::$link);
        }
    )*};
}

programs! {
    draws_and_their_pixels: "draws.c", Dynamic;
    draws_of_a_program_that_has_the_library_inside: "draws.c", Static;
    state_and_its_equations: "states.c", Dynamic;
    the_order_of_the_calls: "order.c", Dynamic;
    every_code: "errors.c", Dynamic;
    textures_and_their_cache: "textures.c", Dynamic;
    callbacks_loss_and_threads: "commits.c", Dynamic;
    any_call_with_any_argument: "any_calls.c", Dynamic;
    cpp: "cpp.cpp", Dynamic;
    a_library_that_is_loaded: "loaded.c", Dynamic;
}

/// What the first run builds at its draws, workers build in the second.
#[test]
fn two_sessions_over_one_folder() {
    let Some(program) = built("sessions.c", Link::Dynamic) else {
        return;
    };
    let folder = scratch("sessions");
    for session in ["1", "2"] {
        run(Command::new(&program)
            .arg(&folder)
            .arg(session)
            .env("NINEFOLD_TEX_FALLBACK", "1")
            .env("NINEFOLD_DRAW_FASTPATH", "0"));
    }
}

/// The program of docs/c-api.md, from an installed library that pkg-config finds.
#[test]
fn the_documented_program_with_an_installed_library() {
    if !can_compile("gcc") || !can_compile("pkg-config") {
        return;
    }
    let root = crate_dir().join("../..");
    let page = std::fs::read_to_string(root.join("docs/c-api.md")).expect("the page");
    let code = page
        .split("```c\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let folder = scratch("installed");
    let source = folder.join("triangle.c");
    std::fs::write(&source, code.expect("a program in the page")).expect("a source");

    let prefix = folder.join("prefix");
    let output = Command::new(root.join("scripts/install-capi.sh"))
        .arg(&prefix)
        .env("LIBRARIES", library_folder())
        .output();
    succeeded("install-capi.sh", &output.expect("the script runs"));
    let flags = |what: &[&str]| {
        let output = Command::new("pkg-config")
            .args(what)
            .arg("ninefold")
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .output()
            .expect("pkg-config runs");
        succeeded("pkg-config", &output);
        let text = String::from_utf8(output.stdout).expect("text");
        let words = text.split_whitespace();
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let library = prefix.join("lib/libninefold.a").display().to_string();
    let mut whole = flags(&["--static", "--libs"]);
    for word in &mut whole {
        if word == "-lninefold" {
            word.clone_from(&library);
        }
    }
    for (name, libraries) in [("dynamic", flags(&["--libs"])), ("static", whole)] {
        let program = folder.join(name);
        let output = Command::new("gcc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .args(flags(&["--cflags"]))
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .args(libraries)
            .output();
        succeeded("gcc", &output.expect("gcc runs"));
        let picture = folder.join("triangle.ppm");
        let _ = std::fs::remove_file(&picture);
        let ran = run(Command::new(program)
            .current_dir(&folder)
            .env("LD_LIBRARY_PATH", prefix.join("lib")));
        if ran.is_some() {
            check_picture(&picture);
        }
    }
}

/// Red at the top, green at the right, yellow at the left, half of green and yellow between.
fn check_picture(path: &Path) {
    let bytes = std::fs::read(path).expect("the picture");
    let start = b"P6 64 48 255\n".len();
    assert_eq!(bytes.len(), start + 64 * 48 * 3);
    let pixel = |x: usize, y: usize| {
        let at = start + (y * 64 + x) * 3;
        [bytes[at], bytes[at + 1], bytes[at + 2]]
    };
    assert_eq!(pixel(0, 0), [0x20, 0x30, 0x60]);
    assert_eq!(pixel(63, 47), [0x20, 0x30, 0x60]);
    // Half way down, in the middle: half red, a quarter green, a quarter yellow.
    let near = |a: u8, b: u8| a.abs_diff(b) <= 2;
    let [r, g, b] = pixel(32, 24);
    assert!(near(r, 191) && near(g, 128) && b == 0, "{:?}", [r, g, b]);
}
