//! What the tests of this crate share: the shared data folder and outside tools.

#![allow(dead_code)]

mod numbers;

#[allow(unused_imports)]
pub(crate) use numbers::Numbers;

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

/// Whether `spirv-val`, `glslangValidator` and `clang++` are installed; said aloud when not, and
/// with `NINEFOLD_REQUIRE_TOOLS=1` a failure.
pub(crate) fn has_tools() -> bool {
    let mut all = has_spirv_val();
    let required = std::env::var_os("NINEFOLD_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    for (tool, package) in [("glslangValidator", "glslang-tools"), ("clang++", "clang")] {
        if Command::new(tool).arg("--version").output().is_err() {
            assert!(!required, "{tool} is required (Debian package {package})");
            eprintln!("skipped: no {tool} (Debian package {package})");
            all = false;
        }
    }
    all
}

/// Name, relative to the folder of cases, and text of every case, in order. A file with a
/// `versions` directive is one case for each version: its version line is exchanged.
pub(crate) fn case_texts() -> Vec<(String, String)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases"));
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("the folder can be read")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "asm") {
                let name = path.strip_prefix(root).expect("it is below the root");
                let name = name.display().to_string();
                let text = std::fs::read_to_string(&path).expect("the case can be read");
                found.extend(for_versions(name, text));
            }
        }
    }
    found.sort();
    found
}

/// Versions that take what another one takes, and give the same: a case of the first is one of the
/// second too.
const TWINS: [(&str, &str); 7] = [
    ("vs_1_1", "vs_1_0"),
    ("vs_2_x", "vs_2_sw"),
    ("vs_3_0", "vs_3_sw"),
    ("ps_1_1", "ps_1_0"),
    ("ps_2_x", "ps_2_sw"),
    ("ps_3_0", "ps_3_sw"),
    ("vs_2_0", "vs_2_x"),
];

/// A case file as the cases that it stands for.
fn for_versions(name: String, text: String) -> Vec<(String, String)> {
    let listed = text
        .lines()
        .take_while(|line| line.starts_with(';'))
        .find_map(|line| line.strip_prefix("; versions = "));
    let own = text.lines().find(|line| !line.starts_with(';'));
    let own = own.expect("a version line");
    let mut versions: Vec<&str> = match listed {
        Some(listed) => listed.split(' ').collect(),
        None => vec![own],
    };
    assert!(
        versions.contains(&own),
        "{name}: {own} is not among its versions"
    );
    for (version, twin) in TWINS {
        if versions.contains(&version) && !versions.contains(&twin) {
            versions.push(twin);
        }
    }
    let one = |version: &&str| {
        let text = text.replacen(&format!("\n{own}\n"), &format!("\n{version}\n"), 1);
        let name = match listed.is_none() && *version == own {
            true => name.clone(),
            false => format!("{name} as {version}"),
        };
        (name, text)
    };
    versions.iter().map(one).collect()
}

/// A case's text; a vertex shader that writes no position gets one from `c255`.
pub(crate) fn positioned(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let vertex = lower
        .lines()
        .any(|line| line.trim_start().starts_with("vs_"));
    let positioned = lower.contains("opos") || lower.contains("dcl_position o");
    match vertex && !positioned {
        true => format!("{text}\nmov oPos, c255\n"),
        false => text.to_owned(),
    }
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
