//! A validated token stream and its content key.

use crate::error::Error;
use crate::instruction::Instruction;
use crate::limits::MAX_TOKENS;
use crate::reader::{Item, Reader};
use crate::validate::Validator;
use crate::version::Version;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::sync::Arc;

/// A token stream that was read to its end and found valid. Cheap to clone.
#[derive(Clone)]
pub struct ShaderCode {
    tokens: Arc<[u32]>,
    version: Version,
    key: ContentKey,
    instruction_count: u32,
}

impl ShaderCode {
    /// Reads and validates a stream, from the version token to the end token
    /// `0x0000FFFF`. What follows the end token is ignored and not kept.
    ///
    /// # Errors
    /// When the stream is no D3D9 shader, is cut off or longer than
    /// [`MAX_TOKENS`], or breaks one of the rules its version sets: opcodes,
    /// operands, register numbers, block structure. The error names the place.
    pub fn parse(tokens: &[u32]) -> Result<Self, Error> {
        let mut reader = Reader::new(tokens)?;
        let mut validator = Validator::new(reader.version());
        while let Some(step) = reader.step() {
            if let (Item::Instruction(instruction), Some(form)) = step? {
                validator.instruction(&instruction, form)?;
            }
        }
        let length = reader.tokens_read();
        validator.finish((length - 1) * 4)?;
        let tokens = &tokens[..length];
        Ok(ShaderCode {
            key: ContentKey::of(tokens),
            tokens: tokens.into(),
            version: reader.version(),
            instruction_count: validator.instruction_count(),
        })
    }

    /// [`ShaderCode::parse`] over little-endian bytes. Bytes after the end
    /// token, and one to three bytes that make no token, are ignored.
    ///
    /// # Errors
    /// As [`ShaderCode::parse`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (words, _) = bytes.as_chunks::<4>();
        let tokens: Vec<u32> = words
            .iter()
            .take(MAX_TOKENS + 1)
            .map(|word| u32::from_le_bytes(*word))
            .collect();
        Self::parse(&tokens)
    }

    /// The tokens, from the version token to the end token.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// The tokens as little-endian bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.tokens
            .iter()
            .flat_map(|token| token.to_le_bytes())
            .collect()
    }

    /// The version the first token states.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The key of this content.
    pub fn key(&self) -> ContentKey {
        self.key
    }

    /// The key of this stream without its comment blocks: equal for shaders that
    /// differ in constant tables and debug information only. Computed anew on
    /// each call.
    pub fn instruction_key(&self) -> ContentKey {
        let mut hash = Fnv1a::new();
        hash.tokens(&self.tokens[..1]);
        for instruction in self.instructions() {
            let start = instruction.byte_offset as usize / 4;
            hash.tokens(&self.tokens[start..start + usize::from(instruction.words)]);
        }
        hash.tokens(&self.tokens[self.tokens.len() - 1..]);
        hash.key()
    }

    /// How many instructions there are, `dcl` and `def` included.
    pub fn instruction_count(&self) -> usize {
        self.instruction_count as usize
    }

    /// The comments and instructions in order.
    pub fn items(&self) -> Items<'_> {
        Items(Reader::new(&self.tokens).ok())
    }

    /// The instructions in order.
    pub fn instructions(&self) -> Instructions<'_> {
        Instructions(self.items())
    }

    /// The comment blocks in order, without their comment tokens.
    pub fn comments(&self) -> impl Iterator<Item = &[u32]> {
        self.items().filter_map(|item| match item {
            Item::Comment(words) => Some(words),
            Item::Instruction(_) => None,
        })
    }
}

impl PartialEq for ShaderCode {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.tokens == other.tokens
    }
}

impl Eq for ShaderCode {}

impl Hash for ShaderCode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for ShaderCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ShaderCode({}, {} tokens, key {})",
            self.version,
            self.tokens.len(),
            self.key
        )
    }
}

/// The items of a [`ShaderCode`]; see [`ShaderCode::items`].
#[derive(Clone, Debug)]
pub struct Items<'a>(Option<Reader<'a>>);

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        self.0.as_mut()?.next()?.ok()
    }
}

/// The instructions of a [`ShaderCode`]; see [`ShaderCode::instructions`].
#[derive(Clone, Debug)]
pub struct Instructions<'a>(Items<'a>);

impl Iterator for Instructions<'_> {
    type Item = Instruction;

    fn next(&mut self) -> Option<Instruction> {
        loop {
            if let Item::Instruction(instruction) = self.0.next()? {
                return Some(instruction);
            }
        }
    }
}

/// A shader's name by content: FNV-1a 64 over the little-endian bytes of its
/// tokens, version and end token included. Never 0; a hash of 0 becomes 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentKey(NonZeroU64);

impl ContentKey {
    /// The key of `tokens`.
    pub fn of(tokens: &[u32]) -> Self {
        let mut hash = Fnv1a::new();
        hash.tokens(tokens);
        hash.key()
    }

    /// A key that was stored as a number, `None` for 0.
    pub fn from_u64(value: u64) -> Option<Self> {
        NonZeroU64::new(value).map(ContentKey)
    }

    /// The key as a number, never 0.
    pub fn get(self) -> u64 {
        self.0.get()
    }
}

/// FNV-1a, 64 bits.
struct Fnv1a(u64);

impl Fnv1a {
    const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;

    fn new() -> Self {
        Fnv1a(Self::BASIS)
    }

    fn tokens(&mut self, tokens: &[u32]) {
        for token in tokens {
            for byte in token.to_le_bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME);
            }
        }
    }

    fn key(&self) -> ContentKey {
        ContentKey(NonZeroU64::new(self.0).unwrap_or(NonZeroU64::MIN))
    }
}

impl fmt::Display for ContentKey {
    /// Sixteen lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentKey({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_known_content() {
        let key = |bytes: [u8; 8]| {
            let (words, _) = bytes.as_chunks::<4>();
            let tokens: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
            ContentKey::of(&tokens).get()
        };
        // The basis; "foobar!!"; and the eight bytes that the FNV authors give
        // as the shortest input whose FNV-1a 64 hash is 0.
        assert_eq!(ContentKey::of(&[]).get(), 0xCBF2_9CE4_8422_2325);
        assert_eq!(key(*b"foobar!!"), 0x745F_ACEB_4ECB_0EDE);
        assert_eq!(key([0xD5, 0x6B, 0xB9, 0x53, 0x42, 0x87, 0x08, 0x36]), 1);
    }

    #[test]
    fn key_of_a_shader() {
        // vs_1_1: mov oPos, v0
        let tokens = [
            0xFFFE_0101,
            0x0000_0001,
            0xC00F_0000,
            0x90E4_0000,
            0x0000_FFFF,
        ];
        let code = ShaderCode::parse(&tokens).unwrap();
        assert_eq!(code.key().get(), 0xD14A_BA0B_5FDF_1E44);
        assert_eq!(code.key().to_string(), "d14aba0b5fdf1e44");
        assert_eq!(ContentKey::from_u64(code.key().get()), Some(code.key()));
        assert_eq!(ContentKey::from_u64(0), None);
    }

    #[test]
    fn comments_do_not_count_in_the_instruction_key() {
        let with = |comment: &[u32]| {
            let mut tokens = vec![0xFFFE_0101];
            tokens.extend(comment);
            tokens.extend([0x0000_0001, 0xC00F_0000, 0x90E4_0000, 0x0000_FFFF]);
            ShaderCode::parse(&tokens).unwrap()
        };
        let (plain, commented) = (with(&[]), with(&[0x0001_FFFE, 0x4241_5443]));
        assert_ne!(plain.key(), commented.key());
        assert_eq!(plain.instruction_key(), plain.key());
        assert_eq!(commented.instruction_key(), plain.key());
    }
}
