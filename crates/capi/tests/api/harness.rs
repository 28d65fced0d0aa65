//! Compiling C programs against `ninefold.h` and running them with `libninefold`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a missing tool or GPU fails a test or skips it.
pub(crate) fn required() -> bool {
    std::env::var_os("NINEFOLD_REQUIRE_GPU").is_some_and(|v| v == "1")
}

/// Whether a compiler is here; says so when it is not.
pub(crate) fn can_compile(compiler: &str) -> bool {
    let ran = Command::new(compiler).arg("--version").output();
    if ran.is_ok_and(|o| o.status.success()) {
        return true;
    }
    assert!(!required(), "missing: {compiler}");
    eprintln!("skipped: missing {compiler}");
    false
}

/// The folder of the library that was built with this test.
pub(crate) fn library_folder() -> PathBuf {
    let exe = std::env::current_exe().expect("the test's own path");
    let deps = exe.parent().expect("a folder").to_owned();
    let target = deps.parent().expect("a folder").to_owned();
    let modified = |folder: &PathBuf| {
        let library = folder.join("libninefold.so").metadata();
        library.and_then(|m| m.modified()).ok()
    };
    let newest = [deps, target].into_iter().max_by_key(modified);
    newest
        .filter(|folder| modified(folder).is_some())
        .expect("libninefold.so was built with this test")
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("capi")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    folder
}

pub(crate) fn succeeded(what: &str, output: &Output) {
    assert!(
        output.status.success(),
        "{what}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// How a program gets the library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    Dynamic,
    Static,
}

/// What a program needs beside the static library: `Libs.private` of ninefold.pc.
fn private_libraries() -> Vec<String> {
    let template =
        std::fs::read_to_string(crate_dir().join("ninefold.pc.in")).expect("ninefold.pc.in");
    let line = template
        .lines()
        .find_map(|line| line.strip_prefix("Libs.private:"));
    let words = line.expect("Libs.private").split_whitespace();
    words.map(str::to_owned).collect()
}

/// Compiles `source` with gcc or g++ and links it with the library.
pub(crate) fn compile(source: &Path, into: &Path, link: Link) -> PathBuf {
    let program = into.join(source.file_stem().expect("a file"));
    let library = library_folder();
    let is_cpp = source.extension().is_some_and(|e| e == "cpp");
    let compiler = if is_cpp { "g++" } else { "gcc" };
    let mut command = Command::new(compiler);
    command
        .arg(if is_cpp { "-std=c++11" } else { "-std=c99" })
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"])
        .args([
            "-Wconversion",
            "-Wno-sign-conversion",
            "-D_POSIX_C_SOURCE=200809L",
        ])
        .arg("-I")
        .arg(crate_dir().join("include"))
        .arg(source)
        .arg("-o")
        .arg(&program);
    match link {
        Link::Dynamic => command
            .arg("-L")
            .arg(&library)
            .arg("-lninefold")
            .arg(format!("-Wl,-rpath,{}", library.display())),
        Link::Static => command
            .arg(library.join("libninefold.a"))
            .args(private_libraries()),
    };
    command.args(["-lm", "-lpthread", "-ldl"]);
    let output = command.output().expect("the compiler runs");
    succeeded(&format!("{compiler} {}", source.display()), &output);
    program
}

/// Runs a program; `None` when it found no GPU and none is required.
pub(crate) fn run(command: &mut Command) -> Option<Output> {
    const NO_GPU: i32 = 3;
    // Cargo's own search path names a folder where an older library may lie.
    if !command
        .get_envs()
        .any(|(name, _)| name == "LD_LIBRARY_PATH")
    {
        command.env("LD_LIBRARY_PATH", library_folder());
    }
    let output = command.output().expect("the program runs");
    // The tests' own output: `adapter: ...` and what failed.
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    eprint!("{}", String::from_utf8_lossy(&output.stdout));
    if output.status.code() == Some(NO_GPU) && !required() {
        eprintln!("skipped: no usable GPU");
        return None;
    }
    succeeded(&format!("{command:?}"), &output);
    Some(output)
}
