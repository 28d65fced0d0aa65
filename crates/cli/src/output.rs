//! Standard output that may be cut short: `ninefold check *.bin | head`.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};

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
