//! Text to tokens.

use crate::code::ShaderCode;
use std::fmt;

/// Assembles a shader from text, as [`disassemble`](crate::disassemble) writes
/// it and as people write it by hand.
///
/// # Errors
/// With line and column of the first thing that is wrong, and what was
/// expected.
pub fn assemble(text: &str) -> Result<ShaderCode, AsmError> {
    let _ = text;
    todo!()
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
