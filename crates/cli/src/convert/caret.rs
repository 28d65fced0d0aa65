//! Shows the place of a fault in the disassembly, with a caret under it.

use std::fmt::Write;

use ninefold_bytecode::{Error, Item, Operand, Reader};

/// Instructions shown before the one at fault.
const BEFORE: usize = 3;
/// Tokens shown of an instruction that cannot be decoded.
const RAW_TOKENS: usize = 6;

/// One line of the listing.
struct Line {
    byte_offset: usize,
    text: String,
}

impl Line {
    fn write(&self, out: &mut String) {
        let _ = writeln!(out, "  {:#06x}  {}", self.byte_offset, self.text);
    }
}

/// The lines around the fault that `error` describes in `bytes`; empty when the stream has no
/// readable beginning.
pub(super) fn listing(bytes: &[u8], error: &Error) -> String {
    let tokens: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let Ok(mut reader) = Reader::new(&tokens) else {
        return String::new();
    };
    let version = reader.version();
    let mut before: Vec<Line> = Vec::new();
    let mut at = reader.tokens_read() * 4;
    for item in reader.by_ref() {
        let Ok(item) = item else { break };
        if let Item::Instruction(instruction) = item {
            let line = Line {
                byte_offset: instruction.byte_offset as usize,
                text: instruction.text(version).to_string(),
            };
            let end = line.byte_offset + 4 * usize::from(instruction.words);
            let here = match error.instruction() {
                Some(number) => number == instruction.number,
                None => (line.byte_offset..end).contains(&error.byte_offset()),
            };
            if here {
                let has_dst = instruction.dst.is_some();
                let (from, length) = span(&line.text, error.operand(), has_dst);
                return shown(&before, &line, from, length);
            }
            before.push(line);
            at = end;
        }
    }
    // The instruction at fault does not decode: its tokens as they are.
    let first = (at / 4).min(tokens.len());
    let raw = &tokens[first..tokens.len().min(first + RAW_TOKENS)];
    let words: Vec<String> = raw.iter().map(|token| format!("{token:#010x}")).collect();
    let fault = (error.byte_offset() / 4).saturating_sub(first);
    let line = Line {
        byte_offset: 4 * first,
        text: match words.is_empty() {
            true => "end of the stream".to_owned(),
            false => format!("dword {}", words.join(", ")),
        },
    };
    if words.is_empty() {
        return shown(&before, &line, 0, 1);
    }
    let from = match fault < words.len() {
        true => "dword ".len() + fault * "0x00000000, ".len(),
        false => line.text.len(),
    };
    shown(
        &before,
        &line,
        from,
        "0x00000000".len().min(line.text.len() + 1 - from),
    )
}

fn shown(before: &[Line], line: &Line, from: usize, length: usize) -> String {
    let mut out = String::new();
    for earlier in &before[before.len().saturating_sub(BEFORE)..] {
        earlier.write(&mut out);
    }
    line.write(&mut out);
    let _ = writeln!(out, "          {:from$}{}", "", "^".repeat(length.max(1)));
    out
}

/// Start and length of an operand in an instruction's text; of the mnemonic when none is named.
fn span(text: &str, operand: Option<Operand>, has_dst: bool) -> (usize, usize) {
    let predicate = match text.starts_with('(') {
        true => text.find(") ").map_or(0, |end| end + 2),
        false => 0,
    };
    let name_end = text[predicate..]
        .find(' ')
        .map_or(text.len(), |at| predicate + at);
    let first = usize::from(has_dst);
    let wanted = match operand {
        None => return (predicate, name_end - predicate),
        Some(Operand::Predicate) => return (0, predicate.saturating_sub(1).max(1)),
        Some(Operand::Destination | Operand::DestinationAddress) => 0,
        Some(Operand::Source(n) | Operand::SourceAddress(n)) => usize::from(n) + first,
    };
    let mut from = (name_end + 1).min(text.len());
    for (number, piece) in text[from..].split(", ").enumerate() {
        if number == wanted {
            return (from, piece.len());
        }
        from += piece.len() + 2;
    }
    (predicate, name_end - predicate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_bytecode::ShaderCode;

    fn shown_for(tokens: &[u32]) -> String {
        let bytes: Vec<u8> = tokens
            .iter()
            .flat_map(|token| token.to_le_bytes())
            .collect();
        let error = ShaderCode::parse(tokens).expect_err("it is refused");
        listing(&bytes, &error)
    }

    #[test]
    fn the_caret_stands_under_the_operand() {
        // mov r0, c0; mov oC0, c40: ps_2_0 has 32 constants.
        let text = shown_for(&[
            0xFFFF_0200,
            0x0200_0001,
            0x800F_0000,
            0xA0E4_0000,
            0x0200_0001,
            0x800F_0800,
            0xA0E4_0028,
            0x0000_FFFF,
        ]);
        let expected = "  0x0004  mov r0, c0\n  0x0010  mov oC0, c40\n                   ^^^\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_stream_without_its_end_is_marked_behind_the_last_instruction() {
        let text = shown_for(&[0xFFFF_0200, 0x0200_0001, 0x800F_0800, 0xA0E4_0000]);
        let expected = "  0x0004  mov oC0, c0\n  0x0010  end of the stream\n          ^\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_does_not_decode_is_shown_as_tokens() {
        // The source of mov lacks bit 31.
        let text = shown_for(&[
            0xFFFF_0200,
            0x0200_0001,
            0x800F_0800,
            0x20E4_0000,
            0x0000_FFFF,
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("  0x0004  dword 0x02000001, 0x800f0800, 0x20e40000"),
            "{text}"
        );
        let caret = lines[1].find('^').expect("a caret");
        assert_eq!(&lines[0][caret..caret + 10], "0x20e40000");
    }
}
