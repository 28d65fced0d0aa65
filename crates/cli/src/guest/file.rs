use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// No executable of the time is larger.
const LONGEST: u64 = 256 << 20;

/// The bytes of a program.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let context = || format!("reading {}", path.display());
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(context)?;
    file.take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    if bytes.len() as u64 > LONGEST {
        bail!("{} has more than 256 MiB", path.display());
    }
    Ok(bytes)
}
