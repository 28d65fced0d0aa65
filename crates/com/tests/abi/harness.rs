//! Compiling C programs against `d3d9.h` and running them with `libd3d9.so`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where `d3d9.h` of mingw-w64 lies.
pub(crate) fn headers() -> PathBuf {
    std::env::var_os("NINEFOLD_D3D9_HEADERS")
        .map_or_else(|| "/usr/share/mingw-w64/include".into(), PathBuf::from)
}

pub(crate) fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a missing tool or GPU fails a test or skips it.
pub(crate) fn required() -> bool {
    std::env::var_os("NINEFOLD_REQUIRE_GPU").is_some_and(|v| v == "1")
}

fn runs(program: &str) -> bool {
    let ran = Command::new(program).arg("--version").output();
    ran.is_ok_and(|o| o.status.success())
}

/// Whether programs can be compiled here; says what is missing.
pub(crate) fn can_compile(compiler: &str) -> bool {
    let missing = if !runs(compiler) {
        compiler.to_owned()
    } else if !headers().join("d3d9.h").exists() {
        format!(
            "{} (Debian: mingw-w64-common, or set NINEFOLD_D3D9_HEADERS)",
            headers().join("d3d9.h").display()
        )
    } else {
        return true;
    };
    assert!(!required(), "missing: {missing}");
    eprintln!("skipped: missing {missing}");
    false
}

/// The folder of the `libd3d9.so` that was built with this test.
pub(crate) fn library_folder() -> PathBuf {
    let exe = std::env::current_exe().expect("the test's own path");
    let deps = exe.parent().expect("a folder").to_owned();
    let target = deps.parent().expect("a folder").to_owned();
    let modified = |folder: &PathBuf| {
        let library = folder.join("libd3d9.so").metadata();
        library.and_then(|m| m.modified()).ok()
    };
    let newest = [deps, target].into_iter().max_by_key(modified);
    newest
        .filter(|folder| modified(folder).is_some())
        .expect("libd3d9.so was built with this test")
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("com")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    folder
}

fn compiler_of(source: &Path, c: &str, cpp: &str) -> Command {
    let is_cpp = source.extension().is_some_and(|e| e == "cpp");
    let mut command = Command::new(if is_cpp { cpp } else { c });
    command
        .arg(if is_cpp { "-std=c++17" } else { "-std=gnu11" })
        .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g"])
        .arg("-I")
        .arg(crate_dir().join("include"))
        .arg("-idirafter")
        .arg(headers());
    command
}

fn succeeded(what: &str, output: &Output) {
    assert!(
        output.status.success(),
        "{what}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Whether `source` compiles with another compiler, without making anything.
pub(crate) fn compiles_with(source: &Path, c: &str, cpp: &str) {
    let mut command = compiler_of(source, c, cpp);
    let output = command.arg("-fsyntax-only").arg(source).output();
    succeeded(
        &format!("{c} {}", source.display()),
        &output.expect("the compiler runs"),
    );
}

/// Compiles `source` with gcc or g++ and links it with `libd3d9.so`.
pub(crate) fn compile(source: &Path, into: &Path) -> PathBuf {
    let program = into.join(source.file_stem().expect("a file"));
    let library = library_folder();
    let output = compiler_of(source, "gcc", "g++")
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&library)
        .args(["-ld3d9", "-lm"])
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .output();
    succeeded(
        &format!("gcc {}", source.display()),
        &output.expect("the compiler runs"),
    );
    program
}

/// Runs a program; `None` when it found no GPU and none is required.
pub(crate) fn run(command: &mut Command) -> Option<Output> {
    const NO_GPU: i32 = 3;
    // Cargo's own search path names a folder where an older library may lie.
    command.env("LD_LIBRARY_PATH", library_folder());
    // No program finds what another left.
    command.env("NINEFOLD_PIPELINE_CACHE", "0");
    // Pixels are compared with what a program asks for.
    command.env("NINEFOLD_NO_ANISO", "1");
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
