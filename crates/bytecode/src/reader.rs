//! Raw tokens to items, one at a time.

use crate::decode;
use crate::error::{Error, ErrorKind};
use crate::instruction::Instruction;
use crate::limits::{MAX_CODE_TOKENS, MAX_TOKENS};
use crate::opcode::Form;
use crate::version::Version;

/// The end token.
pub(crate) const END: u32 = 0x0000_FFFF;
/// Bits 0 to 15 of a comment token.
pub(crate) const COMMENT: u32 = 0xFFFE;

/// What a stream is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// A comment block, without its comment token.
    Comment(&'a [u32]),
    /// An instruction.
    Instruction(Instruction),
}

/// Decodes a raw token stream item by item, up to its end token.
///
/// It checks what decoding needs: known opcodes, lengths, parameter bits,
/// register types, modifiers. Whether registers exist, operands fit their
/// instruction and blocks nest is for [`ShaderCode::parse`] to check.
///
/// The iterator ends after the end token or after the first error.
///
/// [`ShaderCode::parse`]: crate::ShaderCode::parse
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    tokens: &'a [u32],
    cursor: usize,
    number: u32,
    /// Tokens of instructions so far.
    code: usize,
    version: Version,
    done: bool,
    /// There are more tokens than may be read.
    cut: bool,
}

impl<'a> Reader<'a> {
    /// Starts reading `tokens`, of which at most [`MAX_TOKENS`] are looked at.
    ///
    /// # Errors
    /// When the first token is missing, is no version token, or names a version
    /// that D3D9 does not have.
    pub fn new(tokens: &'a [u32]) -> Result<Self, Error> {
        let Some(&first) = tokens.first() else {
            return Err(Error::new(ErrorKind::Empty, 0));
        };
        let Some(version) = Version::from_token(first) else {
            let kind = match first >> 16 {
                0xFFFE | 0xFFFF => ErrorKind::UnknownVersion(first),
                _ => ErrorKind::NotAShader(first),
            };
            return Err(Error::new(kind, 0));
        };
        let cut = tokens.len() > MAX_TOKENS;
        let tokens = &tokens[..tokens.len().min(MAX_TOKENS)];
        Ok(Reader {
            tokens,
            cursor: 1,
            number: 0,
            code: 0,
            version,
            done: false,
            cut,
        })
    }

    /// The stream's version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Tokens read so far. After the last item it is the length of the stream,
    /// version and end token included.
    pub fn tokens_read(&self) -> usize {
        self.cursor
    }

    /// The next item with its row of the table when it is an instruction.
    pub(crate) fn step(&mut self) -> Option<Result<(Item<'a>, Option<&'static Form>), Error>> {
        if self.done {
            return None;
        }
        let item = match self.tokens.get(self.cursor) {
            Some(&END) => {
                self.cursor += 1;
                self.done = true;
                return None;
            }
            Some(token) if token & 0xFFFF == COMMENT => self.comment(*token),
            _ => self.instruction(),
        };
        self.done = item.is_err();
        Some(item)
    }

    fn comment(&mut self, token: u32) -> Result<(Item<'a>, Option<&'static Form>), Error> {
        let at = self.cursor * 4;
        if token >> 31 != 0 {
            return Err(Error::new(ErrorKind::ReservedBits("comment", token), at));
        }
        let words = (token >> 16) as usize;
        let rest = &self.tokens[self.cursor + 1..];
        let Some(comment) = rest.get(..words) else {
            let kind = match self.cut {
                true => ErrorKind::TooLong,
                false => ErrorKind::Comment {
                    words,
                    left: rest.len(),
                },
            };
            return Err(Error::new(kind, at));
        };
        self.cursor += 1 + words;
        Ok((Item::Comment(comment), None))
    }

    fn instruction(&mut self) -> Result<(Item<'a>, Option<&'static Form>), Error> {
        let decoded = decode::instruction(self.tokens, self.cursor, self.number, self.version);
        let (instruction, form) = decoded.map_err(|error| match error.kind() {
            ErrorKind::Truncated(_) if self.cut => Error::new(ErrorKind::TooLong, MAX_TOKENS * 4),
            _ => error,
        })?;
        self.cursor += usize::from(instruction.words);
        self.code += usize::from(instruction.words);
        if self.code > MAX_CODE_TOKENS {
            return Err(Error::new(
                ErrorKind::TooMuchCode,
                instruction.byte_offset as usize,
            ));
        }
        self.number += 1;
        Ok((Item::Instruction(instruction), Some(form)))
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Item<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.step()?.map(|(item, _)| item))
    }
}
