//! What the tests of this crate share: the shared data folder and outside tools.

#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of the shared data, or `None`, said aloud, when it is not there.
/// `NINEFOLD_REQUIRE_SHARED=1` makes that a failure.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let path = root.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    let required = std::env::var_os("NINEFOLD_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!required, "{} is required and not there", path.display());
    eprintln!("skipped: no {}", path.display());
    None
}

/// Every `.bin` below `folder`, in order.
pub(crate) fn streams(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("the folder can be read")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "bin") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether `spirv-val` is installed; `NINEFOLD_REQUIRE_TOOLS=1` makes its absence a failure.
pub(crate) fn has_spirv_val() -> bool {
    let found = Command::new("spirv-val").arg("--version").output().is_ok();
    let required = std::env::var_os("NINEFOLD_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(
        found || !required,
        "spirv-val is required (Debian package spirv-tools)"
    );
    if !found {
        eprintln!("skipped: no spirv-val (Debian package spirv-tools)");
    }
    found
}

/// What `spirv-val` says against a module; `Ok` when it is valid.
pub(crate) fn spirv_val(words: &[u32]) -> Result<(), String> {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    child
        .stdin
        .take()
        .expect("stdin is piped")
        .write_all(&bytes)
        .map_err(|e| e.to_string())?;
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}
