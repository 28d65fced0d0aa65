//! What one run of a program builds, the next finds: replays of the demo's capture over one folder,
//! and the manifest between them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn ninefold(arguments: &[&str], cache: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments)
        .env("NINEFOLD_PIPELINE_CACHE", "1")
        .env("NINEFOLD_PIPELINE_CACHE_DIR", cache)
        .output()
        .unwrap()
}

fn good(arguments: &[&str], cache: &Path) -> String {
    let output = ninefold(arguments, cache);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn the_second_replay_builds_nothing_at_its_draws() {
    let folder = scratch("pipelines");
    let cache = folder.join("cache");
    let demo = path(&folder, "demo");
    let output = ninefold(&["demo", "--frames", "2", "--json", "-o", &demo], &cache);
    if output.status.code() == Some(3) && std::env::var_os("NINEFOLD_REQUIRE_GPU").is_none() {
        eprintln!("skipped: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    // The demo's own two runs: drawn live, and replayed with what the live one left.
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    eprintln!("adapter: {}", json["live"]["adapter"].as_str().unwrap());
    let live = &json["live"]["pipeline_stats"];
    let replayed = &json["replay"]["pipeline_stats"];
    let built = live["at_draws"].as_u64().unwrap();
    assert!(built >= 9, "{live}");
    assert_eq!(replayed["at_draws"], 0, "{replayed}");
    assert_eq!(replayed["by_workers"], built, "{replayed}");
    assert!(!cache.exists(), "the demo keeps its pipelines to itself");

    let capture = path(&folder, "demo/demo.trace");
    let play = |out: &str| {
        let out = path(&folder, out);
        let arguments = [
            "replay",
            &capture,
            "--all",
            "--prewarm",
            "--json",
            "-o",
            &out,
        ];
        let said = good(&arguments, &cache);
        let json: serde_json::Value = serde_json::from_str(&said).unwrap();
        let frames = ["frame000.png", "frame001.png"];
        let pictures = frames.map(|name| std::fs::read(Path::new(&out).join(name)).unwrap());
        (json["pipeline_stats"].clone(), pictures)
    };
    let (first, drawn) = play("first");
    let (second, again) = play("second");
    assert_eq!(first["at_draws"], built);
    assert_eq!(first["recipes_recorded"], built);
    assert_eq!(second["recipes_loaded"], built);
    assert_eq!(second["at_draws"], 0, "{second}");
    assert_eq!(second["by_workers"], built, "{second}");
    assert_eq!(second["recipes_recorded"], 0, "{second}");
    assert!(drawn == again, "the same pictures");
    let stats = ["replay", &capture, "--no-pictures", "--prewarm", "--stats"];
    let told = good(&stats, &cache);
    assert!(told.contains("  at draws  0 built"), "{told}");
    for line in [
        "workers",
        "shaders",
        "manifest",
        "renderer",
        "clears",
        "copied",
        "caches",
        "  geometry  ",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }

    manifests(&folder, &cache, built);
}

fn manifests(folder: &Path, cache: &Path, recipes: u64) {
    let json: serde_json::Value = serde_json::from_str(&good(
        &["manifest", "show", cache.to_str().unwrap(), "--json"],
        cache,
    ))
    .unwrap();
    assert_eq!(json.as_array().unwrap().len() as u64, recipes);
    assert!(
        json.as_array()
            .unwrap()
            .iter()
            .any(|recipe| recipe["vertex_shader"].is_string())
    );
    let own = path(cache, "manifest-v2.bin");
    assert!(good(&["manifest", "verify", &own], cache).contains("whole"));
    let table = good(&["manifest", "show", &own], cache);
    assert!(table.lines().count() as u64 >= recipes);
    let columns = |line: usize| table.lines().nth(line).unwrap().len();
    assert!(table.lines().nth(1).unwrap().ends_with("  radial fog"));
    assert_eq!(columns(1), columns(2));

    // A tester's file with one recipe less and a torn record.
    let mut bytes = std::fs::read(&own).unwrap();
    bytes.truncate(bytes.len() - 88);
    let torn = path(folder, "torn.bin");
    std::fs::write(&torn, &bytes).unwrap();
    let output = ninefold(&["manifest", "verify", &torn, &own], cache);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1000 bytes of a torn one"));
    let merged = path(folder, "merged.bin");
    good(&["manifest", "merge", &torn, &own, "-o", &merged], cache);
    assert!(good(&["manifest", "verify", &merged], cache).contains("whole"));
    assert_eq!(
        std::fs::metadata(&merged).unwrap().len(),
        16 + 1088 * recipes
    );

    bytes[0] = b'X';
    std::fs::write(&torn, &bytes).unwrap();
    for verb in [&["show"][..], &["verify"], &["merge", "-o", &merged]] {
        let arguments = [&["manifest", verb[0], &torn], &verb[1..]].concat();
        let output = ninefold(&arguments, cache);
        assert_eq!(output.status.code(), Some(1));
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains("torn.bin") && said.contains("HVPM"), "{said}");
    }
    whole_or_not_at_all(folder, cache, &own);
}

/// `manifest merge` replaces what it writes as a whole, one of its inputs included, and takes files
/// alone.
fn whole_or_not_at_all(folder: &Path, cache: &Path, own: &str) {
    let both = path(folder, "both.bin");
    std::fs::copy(own, &both).unwrap();
    let link = path(folder, "reader.bin");
    std::fs::hard_link(&both, &link).unwrap();
    let before = std::fs::read(&both).unwrap();
    good(&["manifest", "merge", &both, own, "-o", &both], cache);
    assert_eq!(std::fs::read(&both).unwrap().len(), before.len());
    // Whoever had the old file open reads on in it: the new one is another.
    let mut changed = before.clone();
    changed[20] ^= 1;
    std::fs::write(&link, &changed).unwrap();
    assert_ne!(std::fs::read(&both).unwrap(), changed);
    assert!(!Path::new(&format!("{both}.tmp")).exists());

    let pipe = path(folder, "pipe.bin");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for verb in [
        &["show", pipe.as_str()][..],
        &["verify", &pipe],
        &["merge", &pipe, "-o", &both],
        &["merge", own, "-o", &pipe],
        &["show", "/dev/zero"],
    ] {
        let output = ninefold(&[&["manifest"], verb].concat(), cache);
        assert_eq!(output.status.code(), Some(1), "{verb:?}");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains("regular file"), "{said}");
    }
}
