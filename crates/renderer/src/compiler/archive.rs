//! The driver's own cache of compiled pipelines, kept in a file when the caller asks for it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ninefold_gpu::{Gpu, PipelineCache};

use super::store::lock;
use crate::files;

/// Bytes of an archive at most.
const MAX_ARCHIVE: u64 = 768 << 20;
/// Held while an archive is written, so that two writers do not mix their bytes.
const LOCK: &str = "archive.lock";
const PATIENCE: Duration = Duration::from_secs(5);
const PREFIX: &str = "pipelines-";
const SUFFIX: &str = ".archive";

fn path(gpu: &Gpu, folder: &Path) -> PathBuf {
    folder.join(format!("{PREFIX}{:016x}{SUFFIX}", gpu.pipeline_cache_key()))
}

/// Opens the archive of this adapter and driver, empty where there is none that is good, and
/// deletes those of others. `None` where the driver keeps no cache.
pub(super) fn open(gpu: &Gpu, folder: &Path) -> Option<PipelineCache> {
    if !gpu.caps().pipeline_cache {
        tracing::info!(target: "ninefold::pipeline", "this driver has no pipeline cache to archive");
        return None;
    }
    let own = path(gpu, folder);
    delete_others(folder, &own);
    let data = match read(&own) {
        Ok(data) => data,
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                tracing::warn!(target: "ninefold::pipeline", %error, "the archive was dropped");
                // Fails for a folder, which stays, and nothing is archived.
                let _ = std::fs::remove_file(&own);
            }
            None
        }
    };
    match gpu.create_pipeline_cache(data.as_deref()) {
        Ok(cache) => Some(cache),
        Err(error) => {
            tracing::warn!(target: "ninefold::pipeline", %error, "no archive");
            None
        }
    }
}

/// Deletes the archives in a folder that are not `own`.
pub(super) fn delete_others(folder: &Path, own: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for other in entries.flatten() {
        let name = other.file_name();
        let archive = name.to_str().is_some_and(is_archive);
        // A link is not followed: what is deleted then is the link.
        if archive && other.path() != own && other.file_type().is_ok_and(|kind| !kind.is_dir()) {
            let _ = std::fs::remove_file(other.path());
        }
    }
}

/// Whether a file is called as an archive of some identity: what anything else is called may be
/// anybody's.
fn is_archive(name: &str) -> bool {
    let identity = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX));
    identity.is_some_and(|digits| {
        digits.len() == 16
            && digits
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = files::open(path)?;
    if file.metadata()?.len() > MAX_ARCHIVE {
        return Err(io::Error::other("the archive is too large"));
    }
    let mut data = Vec::new();
    file.take(MAX_ARCHIVE).read_to_end(&mut data)?;
    Ok(Some(data))
}

/// Writes the archive; false when the driver has nothing to write, or too much.
pub(super) fn save(cache: &PipelineCache, gpu: &Gpu, folder: &Path) -> io::Result<bool> {
    let Some(data) = cache
        .data(gpu)
        .filter(|data| data.len() as u64 <= MAX_ARCHIVE)
    else {
        return Ok(false);
    };
    write(folder, &path(gpu, folder), &data)?;
    Ok(true)
}

pub(super) fn write(folder: &Path, path: &Path, data: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let _lock = lock(folder, LOCK, PATIENCE)?;
    files::replace(path, data)
}
