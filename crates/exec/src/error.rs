//! What can go wrong in a run.

use ninefold_bytecode::{Stage, Version};

/// Why a run gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program is of the other stage.
    #[error("expected a {} shader to run here, found {found}", stage_name(.expected))]
    Stage {
        /// What the function called runs.
        expected: Stage,
        /// The program's version.
        found: Version,
    },
    /// The run did not end within the bound.
    #[error(
        "stopped after {limit} operations at instruction {instruction} (byte {byte_offset}), \
         expected the shader to end by then"
    )]
    Steps {
        /// [`Options::max_steps`](crate::Options::max_steps).
        limit: u32,
        /// Number of the instruction it stopped before, as
        /// [`Instruction::number`](ninefold_bytecode::Instruction::number).
        instruction: u32,
        /// That instruction's offset from the start of the stream, in bytes.
        byte_offset: u32,
    },
    /// With [`Options::strict_addresses`](crate::Options::strict_addresses): a
    /// relative address left the constant file.
    #[error(
        "constant c{register} is read at instruction {instruction} (byte {byte_offset}), \
         expected an address below {count}"
    )]
    Address {
        /// The register addressed; far below 0 for an address that is not a number.
        register: i64,
        /// Float constants there are.
        count: usize,
        /// Number of the instruction, as
        /// [`Instruction::number`](ninefold_bytecode::Instruction::number).
        instruction: u32,
        /// That instruction's offset from the start of the stream, in bytes.
        byte_offset: u32,
    },
    /// The lists of inputs and outputs differ in length.
    #[error("expected as many outputs as inputs, found {outputs} for {inputs}")]
    Lengths {
        /// Vertices given.
        inputs: usize,
        /// Places for results given.
        outputs: usize,
    },
}

fn stage_name(stage: &Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Pixel => "pixel",
    }
}
