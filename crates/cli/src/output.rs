//! Standard output that may be cut short: `ninefold check *.bin | head`.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ninefold_d3d9::files;

use crate::exit::WrongUsage;

/// Writes to standard output. A reader that has gone away has seen enough; that is no error.
pub(crate) fn print(bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("writing standard output"),
    }
}

/// Writes a value as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    print(text)
}

/// Makes a folder for results, with those that it lies in.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    let Err(error) = std::fs::create_dir_all(folder) else {
        return Ok(());
    };
    // The system says only that it exists.
    let is_other = |path: &&Path| path.symlink_metadata().is_ok() && !path.is_dir();
    if let Some(other) = folder.ancestors().find(is_other) {
        bail!(
            "{} is no folder; one is needed there for the results",
            other.display()
        );
    }
    Err(error).with_context(|| format!("making the folder {}", folder.display()))
}

/// Writes a file, with the folders it lies in, or standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, bytes, |path, bytes| std::fs::write(path, bytes))
}

/// The same for a file that others may be reading, or that is one of those it was made of: it is
/// there as a whole or as it was.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, bytes, files::replace)
}

/// Refuses an output that is one of the files which it is made of: a slip of the hand would cost
/// the only copy of somebody's work.
pub(crate) fn keep<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>, output: &Path) -> Result<()> {
    let same = |input: &PathBuf| {
        input != Path::new("-")
            && matches!((input.canonicalize(), output.canonicalize()), (Ok(a), Ok(b)) if a == b)
    };
    // Of terminals and pipes one name may be both ends.
    let file = output != Path::new("-") && output.is_file();
    match file && inputs.into_iter().any(same) {
        false => Ok(()),
        true => Err(WrongUsage(
            "the output would take the place of an input; give -o another name",
        )
        .into()),
    }
}

fn write_by(path: &Path, bytes: &[u8], by: fn(&Path, &[u8]) -> std::io::Result<()>) -> Result<()> {
    let context = || format!("writing {}", path.display());
    if path == Path::new("-") {
        return print(bytes);
    }
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        make_folder(folder)?;
    }
    by(path, bytes).with_context(context)
}
