//! Text to tokens.

mod operand;
mod scan;
mod statement;

use crate::code::ShaderCode;
use crate::error::Error;
use crate::limits::{MAX_COMMENT_WORDS, MAX_TEXT_BYTES, MAX_TOKENS};
use crate::reader::{COMMENT, END};
use crate::version::Version;
use scan::Scan;
use std::fmt;

/// Assembles a shader from text, as [`disassemble`](crate::disassemble) writes
/// it and as people write it by hand.
///
/// The first statement names the version (`vs_2_0`, `ps.1.4`), every further
/// line holds one instruction. Case does not matter; `;` and `//` start a comment that reaches to the end of the line. Accepted spellings
/// beyond those the disassembler writes: `rgba` for `xyzw`; swizzles of two or
/// three letters, whose last letter repeats; `1 - r0`; `c5[a0.x]` and
/// `c[a0.x + 2 + 3]`; `c[5]`; `a0` without a component; modifiers after the
/// swizzle (`r0.x_abs`), `def c0 = 1, 0, 0, 1`,
/// `_db` for `_dz`, `_da` for `_dw`, `+ mov`, result
/// modifiers in any order. A float may be given by its bits, `0x3f800000`.
///
/// `//! comment N` followed by `//!` lines with N words makes a comment block,
/// `dword 0x...` puts tokens in as they are.
///
/// # Errors
/// With line and column of the first thing that is wrong, and what was
/// expected. What assembles also parses: see [`ShaderCode::parse`] for the
/// rules.
pub fn assemble(text: &str) -> Result<ShaderCode, AsmError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(AsmError::new(
            1,
            1,
            format!("the text is longer than {MAX_TEXT_BYTES} bytes"),
        ));
    }
    let mut assembler = Assembler::default();
    let mut last = 1;
    for (i, line) in text.lines().enumerate() {
        last = i + 1;
        assembler.line(Scan::new(line, last))?;
    }
    assembler.finish(last)
}

/// Why a text was refused: line, column and reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AsmError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl AsmError {
    #[cold]
    fn new(line: usize, column: usize, message: impl Into<String>) -> Self {
        AsmError {
            line,
            column,
            message: message.into(),
        }
    }
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}

impl std::error::Error for AsmError {}

/// Where in the text a token comes from.
#[derive(Clone, Copy)]
struct Origin {
    token: usize,
    line: usize,
    column: usize,
}

/// A comment block whose words are still to come.
struct OpenComment {
    line: usize,
    missing: usize,
}

#[derive(Default)]
struct Assembler {
    version: Option<Version>,
    tokens: Vec<u32>,
    /// In the order of tokens; one per statement and operand.
    origins: Vec<Origin>,
    comment: Option<OpenComment>,
}

impl Assembler {
    fn line(&mut self, mut scan: Scan<'_>) -> Result<(), AsmError> {
        scan.space();
        if scan.take("//!") {
            return self.directive(scan);
        }
        if let Some(open) = &self.comment {
            let message = format!(
                "expected a //! line with {} more words of the comment block",
                open.missing
            );
            return match scan.at_end() {
                true => Ok(()),
                false => Err(scan.error(message)),
            };
        }
        if scan.at_end() {
            return Ok(());
        }
        self.origins.push(Origin {
            token: self.tokens.len(),
            line: scan.line,
            column: scan.column(),
        });
        match self.version {
            None => self.version_statement(&mut scan)?,
            Some(_) if scan.take_word("dword") => self.raw_tokens(&mut scan)?,
            Some(version) => {
                statement::assemble(&mut scan, version, &mut self.tokens, &mut self.origins)?
            }
        }
        scan.expect_end()?;
        self.bound(&scan)
    }

    fn bound(&self, scan: &Scan<'_>) -> Result<(), AsmError> {
        match self.tokens.len() < MAX_TOKENS {
            true => Ok(()),
            false => Err(scan.error(format!("the shader is longer than {MAX_TOKENS} tokens"))),
        }
    }

    fn version_statement(&mut self, scan: &mut Scan<'_>) -> Result<(), AsmError> {
        let start = scan.clone();
        let word = scan.word_with(|c| c == '.');
        let Some(version) = Version::parse(word) else {
            return Err(start.error("expected a version, such as vs_1_1 or ps_2_0"));
        };
        self.version = Some(version);
        self.tokens.push(version.token());
        Ok(())
    }

    fn raw_tokens(&mut self, scan: &mut Scan<'_>) -> Result<(), AsmError> {
        loop {
            scan.space();
            self.tokens.push(scan.word_bits()?);
            if !scan.comma() {
                return Ok(());
            }
        }
    }

    fn directive(&mut self, mut scan: Scan<'_>) -> Result<(), AsmError> {
        if self.version.is_none() {
            return Err(scan.error("expected a version before the first comment block"));
        }
        scan.space();
        let Some(open) = &mut self.comment else {
            return self.open_comment(scan);
        };
        while !scan.at_line_end() {
            if open.missing == 0 {
                return Err(scan.error("expected no more words, the comment block is complete"));
            }
            self.tokens.push(scan.word_bits()?);
            open.missing -= 1;
            scan.space();
        }
        if open.missing == 0 {
            self.comment = None;
        }
        self.bound(&scan)
    }

    fn open_comment(&mut self, mut scan: Scan<'_>) -> Result<(), AsmError> {
        let start = scan.clone();
        if !scan.take_word("comment") {
            return Err(start.error("expected `comment N` after //!"));
        }
        scan.space();
        let start = scan.clone();
        let words = match scan.number() {
            Some(words) if words <= MAX_COMMENT_WORDS as u64 => words as usize,
            _ => {
                let message = format!(
                    "expected the number of words of the comment block, at most {MAX_COMMENT_WORDS}"
                );
                return Err(start.error(message));
            }
        };
        scan.space();
        if !scan.at_line_end() {
            return Err(scan.error("expected the end of the line"));
        }
        self.origins.push(Origin {
            token: self.tokens.len(),
            line: scan.line,
            column: 1,
        });
        self.tokens.push(COMMENT | (words as u32) << 16);
        if words > 0 {
            self.comment = Some(OpenComment {
                line: scan.line,
                missing: words,
            });
        }
        self.bound(&scan)
    }

    fn finish(mut self, last_line: usize) -> Result<ShaderCode, AsmError> {
        if let Some(open) = self.comment {
            let message = format!("the comment block lacks {} words", open.missing);
            return Err(AsmError::new(open.line, 1, message));
        }
        if self.version.is_none() {
            return Err(AsmError::new(
                last_line,
                1,
                "expected a version, such as vs_1_1 or ps_2_0",
            ));
        }
        self.origins.push(Origin {
            token: self.tokens.len(),
            line: last_line,
            column: 1,
        });
        self.tokens.push(END);
        let code = ShaderCode::parse(&self.tokens).map_err(|error| self.locate(&error))?;
        if code.tokens().len() != self.tokens.len() {
            let origin = self.origin(code.tokens().len() - 1);
            return Err(AsmError::new(
                origin.line,
                origin.column,
                "expected no end token before the last line",
            ));
        }
        Ok(code)
    }

    /// The last origin at or before a token.
    fn origin(&self, token: usize) -> Origin {
        let after = self.origins.partition_point(|origin| origin.token <= token);
        let none = Origin {
            token: 0,
            line: 1,
            column: 1,
        };
        after.checked_sub(1).map_or(none, |i| self.origins[i])
    }

    fn locate(&self, error: &Error) -> AsmError {
        let origin = self.origin(error.byte_offset() / 4);
        AsmError::new(origin.line, origin.column, error.kind().to_string())
    }
}
