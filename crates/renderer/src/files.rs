//! Files by name: opened only where they are files, replaced only as a whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Refuses a name of something that is there and is no file. Opening a pipe waits for whoever is at
/// its other end, and a device gives bytes without end.
fn refuse_others(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
        // What is missing, or cannot be asked about, opening says better.
        _ => Ok(()),
    }
}

/// Opens a file for reading.
///
/// # Errors
/// Those of [`File::open`], and [`InvalidInput`](io::ErrorKind::InvalidInput) for a folder, a pipe
/// or a device, none of which is opened.
pub fn open(path: &Path) -> io::Result<File> {
    refuse_others(path)?;
    File::open(path)
}

/// Opens a file for reading and writing, made empty where it is missing. Errors as [`open`].
pub(crate) fn open_to_change(path: &Path) -> io::Result<File> {
    refuse_others(path)?;
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(path)
}

/// Replaces a file as a whole or not at all: the bytes go to a new file beside it with `.tmp` added
/// to its name, to the disk, and take its name. Where that is a link, what it leads to is replaced.
/// The folder must exist. One writer at a time.
///
/// # Errors
/// Those of writing and renaming; what was there stays.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    refuse_others(path)?;
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    // Of a writer that was stopped, or no file at all.
    match std::fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let write = || {
        let mut file = File::create_new(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary);
    })
}
