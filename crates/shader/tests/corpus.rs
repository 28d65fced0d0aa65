//! Every real token stream translates, and every module passes naga's validator and
//! `spirv-val` and can be written in all five languages.

mod common;

use ninefold_bytecode::ShaderCode;
use ninefold_shader::{Error, Options, translate, writers};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What became of the streams of one version.
#[derive(Default)]
struct Row {
    translated: usize,
    refused: BTreeMap<String, usize>,
}

fn translate_all(paths: &[PathBuf], validate: bool) -> (BTreeMap<String, Row>, Vec<String>) {
    let mut table = BTreeMap::<String, Row>::new();
    let mut faults = Vec::new();
    for path in paths {
        let name = path.display();
        let bytes = std::fs::read(path).expect("the stream can be read");
        let code = match ShaderCode::from_bytes(&bytes) {
            Ok(code) => code,
            Err(error) => {
                faults.push(format!("{name}: does not read: {error}"));
                continue;
            }
        };
        let row = table.entry(code.version().to_string()).or_default();
        let translation = match translate(&code, &Options::default()) {
            Ok(translation) => translation,
            Err(error) => {
                let what = match &error {
                    Error::Unsupported {
                        instruction,
                        reason,
                        ..
                    } => {
                        format!("{instruction}{reason}")
                    }
                    Error::Invalid(_) => {
                        faults.push(format!("{name}: {error}"));
                        "invalid module".into()
                    }
                    other => other.to_string(),
                };
                *row.refused.entry(what).or_default() += 1;
                continue;
            }
        };
        row.translated += 1;
        match writers::spirv(&translation) {
            Err(error) => faults.push(format!("{name}: {error}")),
            Ok(words) if validate => {
                if let Err(message) = common::spirv_val(&words) {
                    faults.push(format!("{name}: spirv-val: {message}"));
                }
            }
            Ok(_) => {}
        }
        for written in [
            writers::wgsl(&translation),
            writers::msl(&translation),
            writers::hlsl(&translation),
            writers::glsl(&translation),
        ] {
            if let Err(error) = written {
                faults.push(format!("{name}: {error}"));
            }
        }
    }
    (table, faults)
}

#[test]
fn every_real_stream_translates_and_validates() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    let validate = common::has_spirv_val();
    let paths = common::streams(&folder);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let share = paths.len().div_ceil(threads).max(1);
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = paths
            .chunks(share)
            .map(|paths| scope.spawn(move || translate_all(paths, validate)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .collect()
    });
    let mut table = BTreeMap::<String, Row>::new();
    let mut faults = Vec::new();
    for (part, found) in results {
        faults.extend(found);
        for (version, row) in part {
            let whole = table.entry(version).or_default();
            whole.translated += row.translated;
            for (what, count) in row.refused {
                *whole.refused.entry(what).or_default() += count;
            }
        }
    }
    println!("{:<8} {:>6} {:>8}", "version", "ok", "refused");
    for (version, row) in &table {
        let refused: usize = row.refused.values().sum();
        println!("{version:<8} {:>6} {refused:>8}", row.translated);
        for (what, count) in &row.refused {
            println!("         {count:>6} x {what}");
        }
    }
    for fault in faults.iter().take(20) {
        println!("{fault}");
    }
    assert!(
        faults.is_empty(),
        "{} faults, the first are above",
        faults.len()
    );
    let refused: usize = table.values().flat_map(|row| row.refused.values()).sum();
    assert_eq!(refused, 0, "streams that do not translate");
}
