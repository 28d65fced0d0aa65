//! What several test files need.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its part of this module"
)]

use std::path::Path;

/// The real token streams, sorted by name. Without the folder: `None` after
/// saying so, or a failure when `NINEFOLD_REQUIRE_SHARED` is 1.
pub fn corpus() -> Option<Vec<(String, Vec<u8>)>> {
    let root = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/corpus"
    ));
    if !root.is_dir() {
        let required =
            std::env::var_os("NINEFOLD_REQUIRE_SHARED").is_some_and(|value| value == "1");
        assert!(
            !required,
            "NINEFOLD_REQUIRE_SHARED=1 but {} is missing",
            root.display()
        );
        eprintln!(
            "skipped: {} is missing, no real streams to read",
            root.display()
        );
        return None;
    }
    let mut streams = Vec::new();
    for project in std::fs::read_dir(root).unwrap() {
        let project = project.unwrap().path();
        if !project.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(project).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "bin") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                streams.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    streams.sort();
    Some(streams)
}
