//! Tokens to text.

use crate::code::ShaderCode;

/// The shader as assembly text, from which [`assemble`](crate::assemble) makes
/// the same tokens again.
pub fn disassemble(code: &ShaderCode) -> String {
    let _ = code;
    todo!()
}
