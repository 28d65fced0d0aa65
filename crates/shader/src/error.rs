//! Errors of translation.

use ninefold_bytecode::Stage;

/// Why a shader could not be translated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An instruction, or a form of it, that is not lowered.
    #[error(
        "instruction {number} at byte offset {byte_offset:#x} is not supported: `{instruction}`{reason}"
    )]
    Unsupported {
        /// The instruction as the disassembler prints it.
        instruction: String,
        /// Instruction number, from 0, declarations included.
        number: u32,
        /// Byte offset of the instruction token in the stream.
        byte_offset: u32,
        /// What about it is not supported; empty, or starting with ": ".
        reason: String,
    },
    /// The stream is one of the other stage (`D3DERR_INVALIDCALL` at creation).
    #[error("shader stage mismatch: a {expected} was expected, this is a {found}")]
    StageMismatch {
        /// The stage asked for.
        expected: Stage,
        /// The stage of the stream's version token.
        found: Stage,
    },
    /// The shader uses more uniforms, attributes, outputs or samplers than the renderer holds.
    #[error("shader metadata exceeds renderer bounds: {count} {what}, at most {limit}")]
    Bounds {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
    /// Inlined subroutines and loops grew the function beyond the limit.
    #[error(
        "the {stage} has more than {limit} instructions, those of subroutines counted at each call"
    )]
    TooLarge {
        /// Stage of the shader.
        stage: Stage,
        /// Most instructions one function may have after inlining.
        limit: u32,
    },
    /// The options or key describe something that cannot be built.
    #[error("{0}")]
    Options(String),
    /// The module that was built is not valid: an error of this crate.
    #[error("the translated module does not validate: {0}")]
    Invalid(String),
    /// A writer of a target language refused the module.
    #[error("cannot write {language}: {message}")]
    Writer {
        /// The language.
        language: &'static str,
        /// The writer's message.
        message: String,
    },
}
