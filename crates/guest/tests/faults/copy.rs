//! The crate with faults in it, as a program that runs trials.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::switch::{Planted, plant};
use crate::table;

/// Builds it below the target directory; the program.
pub(crate) fn build() -> PathBuf {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
    write(&root.join("Cargo.toml"), manifest(crate_root).as_bytes());
    let lock = fs::read(crate_root.join("../../Cargo.lock")).unwrap();
    write(&root.join("Cargo.lock"), &lock);
    copy(crate_root, &root, Path::new("reference"));
    copy(crate_root, &root, Path::new("src"));

    let native = Path::new("src/native");
    let faults = table::faults();
    let mut planted = 0;
    let mut errors = Vec::new();
    for file in fs::read_dir(crate_root.join(native)).unwrap() {
        let name = file.unwrap().file_name();
        let numbered = faults.iter().enumerate();
        let faults: Vec<_> = numbered
            .filter(|(_, fault)| *fault.place.file == *name)
            .map(|(index, fault)| Planted {
                number: index + 1,
                block: fault.place.block,
                was: fault.was,
                becomes: fault.becomes,
            })
            .collect();
        planted += faults.len();
        let path = native.join(&name);
        let source = fs::read_to_string(crate_root.join(&path)).unwrap();
        match plant(&source, &faults) {
            Ok(source) => write(&root.join(path), source.as_bytes()),
            Err(error) => errors.push(format!("{}:\n{error}", path.display())),
        }
    }
    assert_eq!(planted, faults.len(), "a file of the table is not there");
    assert!(errors.is_empty(), "{}", errors.join("\n"));

    let library = fs::read_to_string(crate_root.join("src/lib.rs")).unwrap();
    let library = format!("{library}\npub mod fault;\n");
    write(&root.join("src/lib.rs"), library.as_bytes());
    write(
        &root.join("src/fault.rs"),
        include_bytes!("planted/fault.rs"),
    );
    write(&root.join("src/main.rs"), include_bytes!("planted/main.rs"));

    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--offline", "--quiet"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let name = format!("faults{}", std::env::consts::EXE_SUFFIX);
    root.join("target/release").join(name)
}

/// A manifest with the crate's dependencies.
fn manifest(crate_root: &Path) -> String {
    let read = |path: &str| fs::read_to_string(crate_root.join(path)).unwrap();
    let dependencies = section(&read("Cargo.toml"), "[dependencies]");
    let workspace = section(&read("../../Cargo.toml"), "[workspace.dependencies]");
    let workspace: Vec<_> = workspace
        .lines()
        .filter(|line| !line.contains("path ="))
        .collect();
    format!(
        "[package]\nname = \"faults\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\nname = \"ninefold_guest\"\n\n\
         [dependencies]\n{dependencies}\n\
         [workspace]\n\n[workspace.dependencies]\n{}\n\n\
         [lints.rust]\nwarnings = \"allow\"\n\n\
         [profile.release]\nopt-level = 2\ndebug = false\n",
        workspace.join("\n")
    )
}

/// The lines of a manifest's section.
fn section(manifest: &str, name: &str) -> String {
    let lines = manifest.lines().skip_while(|line| *line != name).skip(1);
    let lines: Vec<_> = lines.take_while(|line| !line.starts_with('[')).collect();
    lines.join("\n")
}

/// Copies a folder.
fn copy(from: &Path, to: &Path, folder: &Path) {
    for entry in fs::read_dir(from.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(from, to, &path);
        } else if !["src/lib.rs", "src/native"]
            .iter()
            .any(|other| path.starts_with(other))
        {
            write(&to.join(&path), &fs::read(from.join(&path)).unwrap());
        }
    }
}

/// Writes a file that does not hold this already, so that only changes are built again.
fn write(path: &Path, bytes: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
