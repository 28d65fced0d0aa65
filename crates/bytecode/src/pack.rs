//! Shader packs (`.hvs`): whole pixel shaders, each with the one that takes its place.
//!
//! All integers are little-endian. The file starts with the magic `HVSHD001`, the number of
//! entries (`u32`, 1 to [`MAX_PACK_ENTRIES`]) and a zero (`u32`). The entries follow back to back
//! and end where the file ends: the size of the original and of its replacement in bytes (`u32`
//! each), the original's tokens, the replacement's tokens.

use crate::limits::{MAX_PACK_BYTES, MAX_PACK_ENTRIES, MAX_PACK_SHADER_BYTES};
use std::fmt;
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"HVSHD001";
const HEADER: usize = 16;
const SIZES: usize = 8;
const PS_2_0: u32 = 0xFFFF_0200;
const END: u32 = 0x0000_FFFF;
const COMMENT: u32 = 0xFFFE;
/// `breakp`, the last opcode before the comment and `phase` tokens' numbers.
const LAST_OPCODE: u32 = 96;

/// A pixel shader and the one that takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackEntry {
    /// The tokens that a program creates its shader from, end token included.
    pub original: Arc<[u32]>,
    /// The tokens that the shader is made of instead, end token included.
    pub replacement: Arc<[u32]>,
}

/// A shader pack that was read to its end and found valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderPack {
    entries: Vec<PackEntry>,
}

impl ShaderPack {
    /// Reads a pack. One fault discards it whole.
    ///
    /// Shaders are checked as streams only: `ps_2_0`, every instruction's length within bounds, an
    /// end token where the stream ends. Whether [`ShaderCode`](crate::ShaderCode) accepts them
    /// shows when they are used.
    ///
    /// # Errors
    /// When the bytes are no pack, are cut off or too many, when a shader is not a `ps_2_0` stream
    /// of 8 bytes to 256 KiB, or when two entries have one original. The error names the place.
    pub fn parse(bytes: &[u8]) -> Result<Self, PackError> {
        let fault = |at: usize, fault: PackFault| Err(PackError::new(at, None, fault));
        if bytes.len() < HEADER {
            return fault(bytes.len(), PackFault::CutOff);
        }
        if bytes.len() > MAX_PACK_BYTES {
            return fault(MAX_PACK_BYTES, PackFault::TooLarge);
        }
        if bytes[..MAGIC.len()] != MAGIC {
            return fault(0, PackFault::Magic);
        }
        let count = word(bytes, 8);
        if count == 0 || count as usize > MAX_PACK_ENTRIES {
            return fault(8, PackFault::Count(count));
        }
        let reserved = word(bytes, 12);
        if reserved != 0 {
            return fault(12, PackFault::Reserved(reserved));
        }
        let mut entries: Vec<PackEntry> = Vec::with_capacity(count as usize);
        let mut at = HEADER;
        for number in 0..count {
            let fault = |at: usize, fault: PackFault| PackError::new(at, Some(number), fault);
            if bytes.len() - at < SIZES {
                return Err(fault(bytes.len(), PackFault::CutOff));
            }
            let sizes = [word(bytes, at), word(bytes, at + 4)];
            let mut shaders = [const { None }; 2];
            let mut start = at + SIZES;
            for (n, role) in [Role::Original, Role::Replacement].into_iter().enumerate() {
                let size = sizes[n];
                let fits = size.is_multiple_of(4) && (8..=MAX_PACK_SHADER_BYTES).contains(&size);
                if !fits {
                    return Err(fault(at + 4 * n, PackFault::Size(role, size)));
                }
                let Some(stream) = bytes.get(start..start + size as usize) else {
                    return Err(fault(at + 4 * n, PackFault::Overrun(role, size)));
                };
                let tokens: Arc<[u32]> = stream
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|word| u32::from_le_bytes(*word))
                    .collect();
                check_stream(&tokens).map_err(|(token, why)| {
                    fault(start + 4 * token, PackFault::Shader(role, why))
                })?;
                shaders[n] = Some(tokens);
                start += size as usize;
            }
            let [Some(original), Some(replacement)] = shaders else {
                unreachable!("both were read");
            };
            if let Some(first) = entries.iter().position(|e| e.original == original) {
                let first = first as u32;
                return Err(fault(at + SIZES, PackFault::Duplicate(first)));
            }
            entries.push(PackEntry {
                original,
                replacement,
            });
            at = start;
        }
        if at != bytes.len() {
            return fault(at, PackFault::Trailing(bytes.len() - at));
        }
        Ok(Self { entries })
    }

    /// A pack of these entries.
    ///
    /// # Errors
    /// As [`ShaderPack::parse`] of the file that the entries make.
    pub fn from_entries(entries: Vec<PackEntry>) -> Result<Self, PackError> {
        let pack = Self { entries };
        let size = pack.entries.iter().fold(HEADER, |size, entry| {
            let tokens = entry.original.len() + entry.replacement.len();
            size.saturating_add(SIZES + tokens.saturating_mul(4))
        });
        if size > MAX_PACK_BYTES {
            return Err(PackError::new(MAX_PACK_BYTES, None, PackFault::TooLarge));
        }
        Self::parse(&pack.to_bytes())
    }

    /// The file of this pack.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut put = |word: u32| bytes.extend(word.to_le_bytes());
        put(self.entries.len() as u32);
        put(0);
        for PackEntry {
            original,
            replacement,
        } in &self.entries
        {
            put(original.len() as u32 * 4);
            put(replacement.len() as u32 * 4);
            original.iter().chain(&**replacement).for_each(|&t| put(t));
        }
        bytes
    }

    /// The entries, in the order of the file: 1 to [`MAX_PACK_ENTRIES`].
    pub fn entries(&self) -> &[PackEntry] {
        &self.entries
    }

    /// The number of the entry whose original is exactly `tokens`, end token included.
    pub fn find(&self, tokens: &[u32]) -> Option<usize> {
        self.entries.iter().position(|e| *e.original == *tokens)
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Walks a stream; a fault comes with the number of its token.
fn check_stream(tokens: &[u32]) -> Result<(), (usize, StreamFault)> {
    if tokens[0] != PS_2_0 {
        return Err((0, StreamFault::Version(tokens[0])));
    }
    let mut at = 1;
    while at < tokens.len() {
        let token = tokens[at];
        let left = tokens.len() - at - 1;
        let length = if token == END {
            return match left {
                0 => Ok(()),
                _ => Err((at, StreamFault::EarlyEnd)),
            };
        } else if token & 0xFFFF == COMMENT {
            (token >> 16 & 0x7FFF) as usize
        } else {
            let opcode = token & 0xFFFF;
            if opcode > LAST_OPCODE {
                return Err((at, StreamFault::Opcode(opcode as u16)));
            }
            match (token >> 24 & 0xF) as usize {
                0 => return Err((at, StreamFault::NoLength)),
                length => length,
            }
        };
        if length > left {
            return Err((at, StreamFault::Length(length as u16)));
        }
        at += 1 + length;
    }
    Err((tokens.len() - 1, StreamFault::NoEnd))
}

/// Which of an entry's two shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The program's own.
    Original,
    /// The one that takes its place.
    Replacement,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Original => "original",
            Role::Replacement => "replacement",
        })
    }
}

/// Why a pack was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackError {
    byte_offset: usize,
    entry: Option<u32>,
    fault: PackFault,
}

impl PackError {
    #[cold]
    fn new(byte_offset: usize, entry: Option<u32>, fault: PackFault) -> Self {
        Self {
            byte_offset,
            entry,
            fault,
        }
    }

    /// Offset in bytes, from the start of the file, of what is at fault.
    pub fn byte_offset(&self) -> usize {
        self.byte_offset
    }

    /// Number of the entry at fault, from 0, when the fault lies in one.
    pub fn entry(&self) -> Option<u32> {
        self.entry
    }

    /// What is wrong.
    pub fn fault(&self) -> &PackFault {
        &self.fault
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {:#x}", self.byte_offset)?;
        if let Some(entry) = self.entry {
            write!(f, ", entry {entry}")?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl std::error::Error for PackError {}

/// What is wrong with a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackFault {
    /// The file ends before its header, or before an entry that its header counts.
    #[error("the file is cut off here")]
    CutOff,
    /// The file is larger than [`MAX_PACK_BYTES`].
    #[error("the pack is larger than {MAX_PACK_BYTES} bytes")]
    TooLarge,
    /// The file does not start as a pack.
    #[error("no shader pack: it does not start with HVSHD001")]
    Magic,
    /// The number of entries is out of range.
    #[error("{0} entries, a pack has 1 to {MAX_PACK_ENTRIES}")]
    Count(u32),
    /// The reserved word is not 0.
    #[error("the reserved word is {0:#x} and must be 0")]
    Reserved(u32),
    /// A shader's size is out of range or no multiple of four.
    #[error(
        "size of the {0}: {1} bytes, expected a multiple of 4 from 8 to {MAX_PACK_SHADER_BYTES}"
    )]
    Size(Role, u32),
    /// A shader is larger than the rest of the file.
    #[error("size of the {0}: {1} bytes are more than the file has left")]
    Overrun(Role, u32),
    /// A shader is no stream of `ps_2_0`.
    #[error("{0}: {1}")]
    Shader(Role, StreamFault),
    /// An earlier entry has the same original.
    #[error("its original is the one of entry {0}, which of the two replacements applies is open")]
    Duplicate(u32),
    /// The file goes on after the last entry.
    #[error("{0} bytes follow the last entry")]
    Trailing(usize),
}

/// What is wrong with a shader of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamFault {
    /// The version is not `ps_2_0`.
    #[error("version token {0:#010x}, expected ps_2_0 (0xffff0200)")]
    Version(u32),
    /// No such instruction.
    #[error("opcode {0}, the last is {LAST_OPCODE}")]
    Opcode(u16),
    /// The length field of an instruction is 0.
    #[error("the instruction has no length")]
    NoLength,
    /// An instruction or a comment goes past the stream's end.
    #[error("{0} tokens should follow and there are fewer")]
    Length(u16),
    /// The end token is not the last.
    #[error("tokens follow the end token")]
    EarlyEnd,
    /// The last token is not the end token.
    #[error("there is no end token")]
    NoEnd,
}

#[cfg(test)]
mod tests;
