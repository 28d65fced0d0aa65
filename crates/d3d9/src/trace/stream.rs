//! The container of a capture: compressed blocks in, one run of bytes out.

use std::io::{self, Read};

use super::error::TraceError;
use super::format::{GZIP_MAGIC, SNAPPY_MAGIC, ZSTD_MAGIC, limit};

enum Source<R: Read> {
    Snappy { input: R, compressed: Vec<u8> },
    Gzip(Box<flate2::read::MultiGzDecoder<io::Chain<io::Cursor<[u8; 2]>, R>>>),
}

/// The uncompressed bytes of a capture, read block by block.
pub(super) struct Stream<R: Read> {
    source: Source<R>,
    block: Vec<u8>,
    at: usize,
    /// Uncompressed bytes in the blocks before this one.
    before: u64,
}

impl<R: Read> Stream<R> {
    /// Recognises the container by its first bytes.
    pub(super) fn new(mut input: R) -> Result<Self, TraceError> {
        let mut magic = [0; 2];
        if read_full(&mut input, &mut magic)? < magic.len() {
            return Err(TraceError::NotATrace("it is shorter than a header"));
        }
        let source = match magic {
            SNAPPY_MAGIC => Source::Snappy {
                input,
                compressed: Vec::new(),
            },
            GZIP_MAGIC => Source::Gzip(Box::new(flate2::read::MultiGzDecoder::new(
                io::Cursor::new(magic).chain(input),
            ))),
            [a, b] if [a, b] == ZSTD_MAGIC[..2] => {
                return Err(TraceError::Unsupported("Zstandard compression"));
            }
            _ => {
                return Err(TraceError::NotATrace(
                    "it starts with neither `at` (Snappy) nor a gzip header; a Brotli-compressed \
                     capture must go through `apitrace repack` first",
                ));
            }
        };
        Ok(Stream {
            source,
            block: Vec::new(),
            at: 0,
            before: 0,
        })
    }

    /// Uncompressed bytes read so far.
    pub(super) fn position(&self) -> u64 {
        self.before + self.at as u64
    }

    /// Makes at least one byte available; false at the end of the file.
    fn fill(&mut self) -> Result<bool, TraceError> {
        while self.at == self.block.len() {
            self.before += self.block.len() as u64;
            self.block.clear();
            self.at = 0;
            let offset = self.before;
            match &mut self.source {
                Source::Snappy { input, compressed } => {
                    if !read_block(input, compressed, &mut self.block, offset)? {
                        return Ok(false);
                    }
                }
                Source::Gzip(decoder) => {
                    self.block.resize(64 << 10, 0);
                    let read = read_full(decoder.as_mut(), &mut self.block);
                    let got = *read.as_ref().unwrap_or(&0);
                    self.block.truncate(got);
                    match read {
                        Ok(0) => return Ok(false),
                        Ok(_) => {}
                        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                            return Err(TraceError::Truncated { offset });
                        }
                        Err(e) => {
                            return Err(TraceError::Corrupt {
                                offset,
                                what: e.to_string(),
                            });
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    /// True when no byte is left.
    pub(super) fn at_end(&mut self) -> Result<bool, TraceError> {
        Ok(!self.fill()?)
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8, TraceError> {
        if self.at == self.block.len() && !self.fill()? {
            return Err(TraceError::Truncated {
                offset: self.position(),
            });
        }
        let byte = self.block[self.at];
        self.at += 1;
        Ok(byte)
    }

    /// The next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], TraceError> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(bytes)
    }

    /// An unsigned integer of at most 64 bits.
    pub(super) fn uint(&mut self) -> Result<u64, TraceError> {
        let start = self.position();
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || (shift == 63 && bits > 1) {
                return Err(TraceError::corrupt(
                    start,
                    "an integer of more than 64 bits",
                ));
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    /// The next `len` bytes. Memory grows with what the file really holds, not
    /// with what it claims.
    pub(super) fn bytes(&mut self, len: u64) -> Result<Vec<u8>, TraceError> {
        let mut bytes = Vec::new();
        let mut left = len;
        while left > 0 {
            if !self.fill()? {
                return Err(TraceError::Truncated {
                    offset: self.position(),
                });
            }
            let here = &self.block[self.at..];
            let take = here.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            bytes.extend_from_slice(&here[..take]);
            self.at += take;
            left -= take as u64;
        }
        Ok(bytes)
    }

    /// A length-prefixed run of bytes, at most `max` long.
    pub(super) fn prefixed(&mut self, max: u64, what: &str) -> Result<Vec<u8>, TraceError> {
        let start = self.position();
        let len = self.uint()?;
        if len > max {
            return Err(TraceError::corrupt(
                start,
                format!("{what} of {len} bytes; at most {max} are accepted"),
            ));
        }
        self.bytes(len)
    }
}

/// Reads until `into` is full or the input ends; how many bytes that were.
fn read_full(input: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut at = 0;
    while at < into.len() {
        match input.read(&mut into[at..]) {
            Ok(0) => break,
            Ok(n) => at += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(at)
}

/// Reads one Snappy block; false when the file ends before it.
fn read_block(
    input: &mut impl Read,
    compressed: &mut Vec<u8>,
    block: &mut Vec<u8>,
    offset: u64,
) -> Result<bool, TraceError> {
    let mut len = [0; 4];
    match read_full(input, &mut len)? {
        0 => return Ok(false),
        4 => {}
        _ => return Err(TraceError::Truncated { offset }),
    }
    let len = u32::from_le_bytes(len) as usize;
    if len > limit::BLOCK {
        return Err(TraceError::corrupt(
            offset,
            format!(
                "a compressed block of {len} bytes; at most {} are accepted",
                limit::BLOCK
            ),
        ));
    }
    compressed.clear();
    input.by_ref().take(len as u64).read_to_end(compressed)?;
    if compressed.len() < len {
        return Err(TraceError::Truncated { offset });
    }
    let corrupt = |e: snap::Error| TraceError::corrupt(offset, format!("a bad Snappy block: {e}"));
    let size = snap::raw::decompress_len(compressed).map_err(corrupt)?;
    if size > limit::BLOCK {
        return Err(TraceError::corrupt(
            offset,
            format!(
                "a block of {size} bytes; at most {} are accepted",
                limit::BLOCK
            ),
        ));
    }
    block.resize(size, 0);
    let got = snap::raw::Decoder::new()
        .decompress(compressed, block)
        .map_err(corrupt)?;
    block.truncate(got);
    Ok(true)
}
