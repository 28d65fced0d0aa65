use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::convert::input;

/// No executable of the time is larger.
const LONGEST: u64 = 256 << 20;

/// The bytes of a program, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let context = || format!("reading {}", input::name(path));
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).with_context(context)?)
    };
    let mut bytes = Vec::new();
    source
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    if bytes.len() as u64 > LONGEST {
        bail!("{} has more than 256 MiB", input::name(path));
    }
    Ok(bytes)
}
