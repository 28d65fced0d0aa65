//! What `ProcessVertices` runs of model 1: less than draws may use.

use crate::limits::MODEL_1_INSTRUCTIONS;
use ninefold_bytecode::{Opcode, ShaderCode, SrcModifier};

/// Why `ProcessVertices` does not run a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotProcessed {
    /// A vs_1_x has more than [`MODEL_1_INSTRUCTIONS`].
    #[error("the shader has {0} instructions, expected {MODEL_1_INSTRUCTIONS} at most in a vs_1_x")]
    Instructions(usize),
    /// A source of a vs_1_x has another modifier than a minus.
    #[error(
        "source modifier {modifier:?} at instruction {instruction} (byte {byte_offset}), \
         expected none or a minus in a vs_1_x"
    )]
    Modifier {
        /// The modifier.
        modifier: SrcModifier,
        /// Number of the instruction, as
        /// [`Instruction::number`](ninefold_bytecode::Instruction::number).
        instruction: u32,
        /// That instruction's offset from the start of the stream, in bytes.
        byte_offset: u32,
    },
}

/// Whether `ProcessVertices` runs a vertex shader. Of model 1 it takes [`MODEL_1_INSTRUCTIONS`] at
/// most, whose sources have no modifier but a minus; later ones it takes as they are.
///
/// # Errors
/// [`NotProcessed`], for the first thing that it does not take.
pub fn check_processed(code: &ShaderCode) -> Result<(), NotProcessed> {
    if code.version().major != 1 {
        return Ok(());
    }
    let mut count = 0;
    for instruction in code.instructions() {
        count += usize::from(!matches!(instruction.op, Opcode::Dcl | Opcode::Def));
        let other = |modifier| !matches!(modifier, SrcModifier::None | SrcModifier::Neg);
        if let Some(src) = instruction.srcs().iter().find(|src| other(src.modifier)) {
            return Err(NotProcessed::Modifier {
                modifier: src.modifier,
                instruction: instruction.number,
                byte_offset: instruction.byte_offset,
            });
        }
    }
    match count {
        0..=MODEL_1_INSTRUCTIONS => Ok(()),
        _ => Err(NotProcessed::Instructions(count)),
    }
}
