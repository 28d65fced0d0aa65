//! The constant table (CTAB) that HLSL compilers leave in a comment block, as
//! readable comments.

use crate::limits::{MAX_LISTED_CONSTANTS, MAX_LISTED_NAME};
use std::fmt::{self, Write};

const CTAB: u32 = u32::from_le_bytes(*b"CTAB");
/// D3DXSHADER_CONSTANTTABLE, without its two last fields in early compilers.
const HEADER_BYTES: usize = 28;
const OLD_HEADER_BYTES: usize = 20;
/// D3DXSHADER_CONSTANTINFO.
const CONSTANT_BYTES: usize = 20;

/// Lists `words` when they are a constant table; writes nothing otherwise.
/// Entries that point outside the table are left out.
pub(super) fn write_listing(words: &[u32], out: &mut String) -> fmt::Result {
    let Some((&CTAB, body)) = words.split_first() else {
        return Ok(());
    };
    let table = Table { words: body };
    let (Some(size), Some(creator), Some(count), Some(first)) =
        (table.word(0), table.word(4), table.word(12), table.word(16))
    else {
        return Ok(());
    };
    if size as usize != HEADER_BYTES && size as usize != OLD_HEADER_BYTES {
        return Ok(());
    }
    out.push_str("// constant table");
    if let Some(creator) = table.name(creator) {
        write!(out, " by {creator}")?;
    }
    out.push_str("\n//   register  size  name\n");
    for i in 0..(count as usize).min(MAX_LISTED_CONSTANTS) {
        let Some(constant) = table.constant(first as usize, i) else {
            break;
        };
        writeln!(
            out,
            "//   {:<8}  {:<4}  {} {}{}",
            format!("{}{}", constant.prefix, constant.index),
            constant.count,
            constant.type_name,
            constant.name,
            constant.dimension,
        )?;
    }
    if count as usize > MAX_LISTED_CONSTANTS {
        out.push_str("//   ...\n");
    }
    Ok(())
}

struct Constant {
    prefix: &'static str,
    index: u16,
    count: u16,
    type_name: String,
    name: String,
    dimension: String,
}

/// The table's bytes; offsets count from the word after `CTAB`.
struct Table<'a> {
    words: &'a [u32],
}

impl Table<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        Some(self.words.get(at / 4)?.to_le_bytes()[at % 4])
    }

    fn half(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes([
            self.byte(at)?,
            self.byte(at.checked_add(1)?)?,
        ]))
    }

    fn word(&self, at: usize) -> Option<u32> {
        Some(u32::from(self.half(at)?) | u32::from(self.half(at.checked_add(2)?)?) << 16)
    }

    /// The name at an offset, cut to a bound; what is not printable ASCII
    /// becomes a question mark.
    fn name(&self, at: u32) -> Option<String> {
        let at = at as usize;
        self.byte(at)?;
        let name = (0..MAX_LISTED_NAME)
            .map_while(|i| self.byte(at.checked_add(i)?))
            .take_while(|byte| *byte != 0)
            .map(|byte| {
                if byte.is_ascii_graphic() || byte == b' ' {
                    char::from(byte)
                } else {
                    '?'
                }
            })
            .collect();
        Some(name)
    }

    fn constant(&self, first: usize, i: usize) -> Option<Constant> {
        let at = first.checked_add(i * CONSTANT_BYTES)?;
        let (type_name, dimension) = self.type_of(self.word(at.checked_add(12)?)? as usize);
        Some(Constant {
            name: self.name(self.word(at)?)?,
            prefix: match self.half(at.checked_add(4)?)? {
                0 => "b",
                1 => "i",
                2 => "c",
                3 => "s",
                _ => "?",
            },
            index: self.half(at.checked_add(6)?)?,
            count: self.half(at.checked_add(8)?)?,
            type_name,
            dimension,
        })
    }

    /// Type and array dimension of the D3DXSHADER_TYPEINFO at `at`, as HLSL
    /// writes them.
    fn type_of(&self, at: usize) -> (String, String) {
        let field = |i: usize| {
            at.checked_add(i * 2)
                .and_then(|at| self.half(at))
                .unwrap_or(0)
        };
        let (class, kind, rows, columns, elements) =
            (field(0), field(1), field(2), field(3), field(4));
        let base = match kind {
            1 => "bool",
            2 => "int",
            3 => "float",
            4 => "string",
            5 => "texture",
            6 => "texture1D",
            7 => "texture2D",
            8 => "texture3D",
            9 => "textureCUBE",
            10 => "sampler",
            11 => "sampler1D",
            12 => "sampler2D",
            13 => "sampler3D",
            14 => "samplerCUBE",
            _ => "void",
        };
        let type_name = match class {
            1 => format!("{base}{columns}"),
            2 => format!("row_major {base}{rows}x{columns}"),
            3 => format!("{base}{rows}x{columns}"),
            5 => "struct".to_owned(),
            _ => base.to_owned(),
        };
        let dimension = if elements > 1 {
            format!("[{elements}]")
        } else {
            String::new()
        };
        (type_name, dimension)
    }
}
