//! Tokens to text.

mod constants;
mod text;

pub(crate) use text::has_usage;

use crate::code::ShaderCode;
use crate::encode;
use crate::instruction::Instruction;
use crate::opcode::Opcode;
use crate::reader::Item;
use crate::version::Version;
use std::fmt::{self, Write};

/// Words of a comment block on one line.
const WORDS_PER_LINE: usize = 8;

/// The shader as assembly text, one instruction a line, from which
/// [`assemble`](crate::assemble) makes the same tokens again.
///
/// The text is the usual one (`dp4 oPos.x, v0, c0`, `+mul_x2_sat r0.xyz, t0, v0`,
/// `c[a0.x + 4]`, `(p0.x) mov r0, c1`), with three additions:
///
/// - A comment block is `//! comment N` and its N words in hexadecimal on
///   further `//!` lines, so that other assemblers skip it and `assemble` puts
///   it back. A constant table is listed in plain comments above its words.
/// - A float that has no short decimal text (infinities, NaNs) is its bits in
///   hexadecimal: `0x7fc00000`.
/// - An instruction whose tokens text cannot tell apart from the usual ones (a
///   length in a model 1 token, say) is its tokens after `dword`, with the
///   instruction in a comment.
pub fn disassemble(code: &ShaderCode) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_code(code, &mut text);
    text
}

fn write_code(code: &ShaderCode, out: &mut String) -> fmt::Result {
    let version = code.version();
    writeln!(out, "{version}")?;
    let mut depth = 0usize;
    let mut tokens = Vec::new();
    for item in code.items() {
        match item {
            Item::Comment(words) => write_comment(words, out)?,
            Item::Instruction(instruction) => {
                if closes(instruction.op) {
                    depth = depth.saturating_sub(1);
                }
                write!(out, "{:1$}", "", 4 + 2 * depth)?;
                if opens(instruction.op) {
                    depth += 1;
                }
                tokens.clear();
                encode::instruction(&instruction, version, &mut tokens);
                let start = instruction.byte_offset as usize / 4;
                let end = start + usize::from(instruction.words);
                let real = &code.tokens()[start..end];
                if real == tokens && text_holds(&instruction) {
                    writeln!(out, "{}", text::Line(&instruction, version))?;
                } else {
                    write_raw(real, &instruction, code, out)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether everything in `instruction` has a spelling.
fn text_holds(instruction: &Instruction) -> bool {
    instruction.dst.is_none_or(|dst| !dst.mask.is_empty())
}

fn write_raw(
    tokens: &[u32],
    instruction: &Instruction,
    code: &ShaderCode,
    out: &mut String,
) -> fmt::Result {
    out.write_str("dword ")?;
    for (i, token) in tokens.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        write!(out, "{comma}{token:#010x}")?;
    }
    writeln!(out, " // {}", text::Line(instruction, code.version()))
}

fn opens(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::If | Opcode::Ifc | Opcode::Else | Opcode::Loop | Opcode::Rep
    )
}

fn closes(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::Else | Opcode::EndIf | Opcode::EndLoop | Opcode::EndRep
    )
}

fn write_comment(words: &[u32], out: &mut String) -> fmt::Result {
    constants::write_listing(words, out)?;
    writeln!(out, "//! comment {}", words.len())?;
    for line in words.chunks(WORDS_PER_LINE) {
        out.write_str("//!")?;
        for word in line {
            write!(out, " {word:#010x}")?;
        }
        out.write_char('\n')?;
    }
    Ok(())
}

impl Instruction {
    /// The instruction's line of assembly text in `version`, which need not be valid: for
    /// messages about streams that are refused.
    pub fn text(&self, version: Version) -> impl fmt::Display {
        text::Line(self, version)
    }
}

impl fmt::Display for ShaderCode {
    /// The text [`disassemble`] gives.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&disassemble(self))
    }
}
