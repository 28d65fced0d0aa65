//! Why a capture cannot be read.

use std::io;

/// Why a capture cannot be read any further. Offsets count uncompressed bytes
/// from the start of the stream inside the container.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file does not start like an apitrace capture.
    #[error("not an apitrace capture: {0}")]
    NotATrace(&'static str),
    /// The capture uses something that is not read here.
    #[error("the capture uses {0}, which is not supported; `apitrace repack` can convert it")]
    Unsupported(&'static str),
    /// The format version is outside 4 to 6.
    #[error("the capture has format version {0}; versions 4 to 6 are read")]
    Version(u64),
    /// The file ends in the middle of something.
    #[error("the capture is cut off: it ends inside an event at byte {offset}")]
    Truncated {
        /// Where the bytes ran out.
        offset: u64,
    },
    /// The file contradicts its own format.
    #[error("the capture is damaged at byte {offset}: {what}")]
    Corrupt {
        /// Where the contradiction is.
        offset: u64,
        /// What was found there.
        what: String,
    },
    /// The file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TraceError {
    pub(super) fn corrupt(offset: u64, what: impl Into<String>) -> Self {
        TraceError::Corrupt {
            offset,
            what: what.into(),
        }
    }
}
