//! What the folder of the pipeline cache may hold beside what was put there, and a disk that is
//! full.

use std::path::Path;
use std::process::Command;

use super::archive::delete_others;
use super::manifest::{HEADER, MAX_RECIPES};
use super::recipe::RECIPE_BYTES;
use super::store::{append, load};
use super::tests::{file, folder, keys, recipe};
use super::*;
use crate::files;
use crate::pipeline::PIPELINE_KEY_VERSION;

/// What other builds recorded means nothing here, and takes no room from what does.
#[test]
fn records_of_other_key_versions_are_dropped_when_read() {
    let folder = folder("versions");
    let path = folder.join("manifest-v2.bin");
    let mut records = Vec::new();
    for n in 0..MAX_RECIPES as u32 {
        let mut old = recipe(n);
        old.version = PIPELINE_KEY_VERSION - 1 + 2 * (n & 1);
        records.push(old);
    }
    records[7] = recipe(7);
    std::fs::write(&path, file(&records)).unwrap();
    assert_eq!(append(&folder, &[recipe(9000)], false).unwrap(), 0, "full");
    let manifest = load(&folder).unwrap();
    assert_eq!(keys(&manifest), [8]);
    assert_eq!(manifest.invalid(), MAX_RECIPES - 1);
    assert_eq!(append(&folder, &[recipe(9000)], false).unwrap(), 1);
    assert_eq!(
        std::fs::read(&path).unwrap(),
        file(&[recipe(7), recipe(9000)])
    );
}

/// The same of keys of the fixed function.
#[test]
fn records_of_other_generators_are_dropped_when_read() {
    let version = core::mem::offset_of!(ninefold_shader::fixed::VertexKey, version);
    let good = recipe(1);
    let halves: Vec<usize> = {
        // Where the keys of the two stages begin: at the version that both have.
        let mut other = super::tests::ingredients(1);
        let VertexHalf::Fixed(key) = &mut other.vertex else {
            panic!("the fixed function");
        };
        key.version += 1;
        let other = other.recipe().unwrap();
        let (good, other) = (bytemuck::bytes_of(&good), bytemuck::bytes_of(&other));
        (0..RECIPE_BYTES)
            .filter(|&at| at >= 8 && good[at] != other[at])
            .collect()
    };
    assert!(halves.len() == 1 && halves[0] >= version);
    let mut older = good;
    bytemuck::bytes_of_mut(&mut older)[halves[0]] -= 1;
    let manifest = Manifest::parse(&file(&[older, recipe(2)])).unwrap();
    assert_eq!((keys(&manifest), manifest.invalid()), (vec![3], 1));
}

/// Archives of other identities go; what only looks like one stays.
#[test]
fn only_archives_of_other_identities_are_deleted() {
    let folder = folder("identities");
    let own = folder.join("pipelines-0123456789abcdef.archive");
    let gone = [
        "pipelines-0000000000000000.archive",
        "pipelines-fedcba9876543210.archive",
    ];
    let kept = [
        "pipelines-0123456789abcdef.archive",
        "pipelines-.archive",
        "pipelines-backup.archive",
        "pipelines-0000000000000000.archive.old",
        "pipelines-000000000000000.archive",
        "pipelines-00000000000000000.archive",
        "pipelines-000000000000000G.archive",
        "pipelines-00000000ABCDEF00.archive",
        "pipelines-0000000000000000",
        "my-pipelines-0000000000000000.archive",
        "manifest-v2.bin",
    ];
    for name in gone.iter().chain(&kept) {
        std::fs::write(folder.join(name), name).unwrap();
    }
    let directory = folder.join("pipelines-1111111111111111.archive");
    std::fs::create_dir(&directory).unwrap();
    std::fs::write(directory.join("inside"), "").unwrap();
    delete_others(&folder, &own);
    for name in kept {
        assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), name);
    }
    for name in gone {
        assert!(!folder.join(name).exists(), "{name}");
    }
    assert!(directory.join("inside").exists());
    delete_others(&folder.join("missing"), &own);
}

/// A pipe under any name that is opened is refused, and waits for nobody.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_under_every_name() {
    let folder = folder("pipes");
    let refused = |error: std::io::Error| {
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
    };
    let pipe = |name: &str| {
        let path = folder.join(name);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        path
    };
    let manifest = pipe("manifest-v2.bin");
    refused(load(&folder).unwrap_err());
    refused(append(&folder, &[recipe(1)], true).unwrap_err());
    refused(files::open(&manifest).unwrap_err());
    refused(files::replace(&manifest, b"x").unwrap_err());
    std::fs::remove_file(&manifest).unwrap();

    // An old manifest, and what is written before it takes its name.
    let old = pipe("manifest-v1.bin");
    refused(load(&folder).unwrap_err());
    std::fs::remove_file(old).unwrap();
    pipe("manifest-v2.bin.tmp");
    std::fs::write(&manifest, file(&[recipe(1), recipe(1)])).unwrap();
    assert_eq!(keys(&load(&folder).unwrap()), [2]);
    assert_eq!(std::fs::read(&manifest).unwrap(), file(&[recipe(1)]));

    // A lock: the manifest is read without, and not written.
    std::fs::remove_file(folder.join("manifest.lock")).unwrap();
    pipe("manifest.lock");
    assert_eq!(keys(&load(&folder).unwrap()), [2]);
    refused(append(&folder, &[recipe(3)], false).unwrap_err());

    // A device gives bytes without end.
    refused(files::open(Path::new("/dev/zero")).unwrap_err());
    refused(files::replace(Path::new("/dev/null"), b"x").unwrap_err());
    std::os::unix::fs::symlink("/dev/zero", folder.join("link")).unwrap();
    refused(files::open(&folder.join("link")).unwrap_err());
}

/// Links lead to what is replaced, and half a file of an earlier writer is in nobody's way.
#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_replaced() {
    let folder = folder("links");
    let (file, link) = (folder.join("file"), folder.join("link"));
    std::fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink("file", &link).unwrap();
    std::fs::write(folder.join("file.tmp"), "half").unwrap();
    files::replace(&link, b"new").unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(!folder.join("file.tmp").exists());
    files::replace(&folder.join("another"), b"x").unwrap();
    assert!(files::replace(&folder.join("no/such"), b"x").is_err());
}

/// Bytes that the child process of the next test may write to a file.
const LIMIT: usize = 16 << 10;
const CHILD: &str = "NINEFOLD_TEST_FULL_DISK";

/// Writes end at a limit, as they do where the disk is full: first those that append a record, then
/// those that write the manifest anew. What was there stays, to the byte.
#[cfg(unix)]
#[test]
fn a_write_that_finds_no_room_changes_nothing() {
    if let Some(folder) = std::env::var_os(CHILD) {
        return fill(Path::new(&folder));
    }
    let folder = folder("no-room");
    let program = std::env::current_exe().unwrap();
    // The shell counts in blocks of 512 bytes, or of 1,024 where it is bash.
    let script = "trap '' XFSZ; ulimit -f 32; exec \"$0\" --exact \"$1\"";
    let test = "compiler::disk_tests::a_write_that_finds_no_room_changes_nothing";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .arg(test)
        .env(CHILD, &folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    let manifest = load(&folder).unwrap();
    assert!(manifest.is_clean());
    let count = manifest.len() as u64;
    let fits = |limit: usize| ((limit - HEADER) / RECIPE_BYTES) as u64;
    assert!([fits(LIMIT), fits(2 * LIMIT)].contains(&count), "{count}");
    assert_eq!(keys(&manifest), (1..=count).collect::<Vec<u64>>());
}

#[cfg(unix)]
fn fill(folder: &Path) {
    let path = folder.join("manifest-v2.bin");
    let mut n = 0;
    while append(folder, &[recipe(n)], n % 2 == 0).is_ok() {
        n += 1;
        assert!(n < 100, "the limit is not kept");
    }
    let full = std::fs::read(&path).unwrap();
    assert_eq!(full, file(&(0..n).map(recipe).collect::<Vec<_>>()));
    assert!(append(folder, &[recipe(n), recipe(n + 1)], true).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), full);

    // Too long to be written anew, and read all the same.
    let other = folder.join("other");
    std::fs::create_dir(&other).unwrap();
    let long = other.join("manifest-v2.bin");
    let mut linked = full.clone();
    linked.truncate(linked.len() - 1);
    std::fs::write(&long, &linked).unwrap();
    let bytes = vec![7; 3 * LIMIT];
    assert!(files::replace(&long, &bytes).is_err());
    assert_eq!(std::fs::read(&long).unwrap(), linked);
    assert!(!other.join("manifest-v2.bin.tmp").exists());
    assert_eq!(load(&other).unwrap().len(), n as usize - 1);
}
