use crate::memory::MemoryError;

/// Why a run of guest code ended early. The machine is as it was before the instruction
/// named, but for string instructions, which keep the elements that they had done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An instruction could not reach memory.
    #[error("at {eip:#010x}, {instruction}: {source}")]
    Memory {
        /// The instruction's address.
        eip: u32,
        /// The instruction as text.
        instruction: String,
        /// What could not be reached.
        source: MemoryError,
    },
    /// No instruction can be read.
    #[error("at {eip:#010x}: no code is mapped here")]
    NoCode {
        /// The address.
        eip: u32,
    },
    /// An instruction goes on where nothing is mapped.
    #[error("at {eip:#010x}: the instruction goes on at {missing:#010x}, where no code is mapped")]
    CodeEnds {
        /// The instruction's address.
        eip: u32,
        /// The first address of it that no page holds; 0 past the end of the address space.
        missing: u32,
    },
    /// The bytes are no instruction.
    #[error("at {eip:#010x}: bytes {bytes} are no instruction")]
    Undecodable {
        /// The address.
        eip: u32,
        /// The bytes in hexadecimal.
        bytes: String,
    },
    /// An instruction that the interpreter does not know.
    #[error("at {eip:#010x}: the interpreter does not have {instruction}")]
    Unsupported {
        /// The instruction's address.
        eip: u32,
        /// The instruction as text.
        instruction: String,
    },
    /// The instructions that [`Machine::instruction_limit`](crate::Machine) allowed are
    /// used up.
    #[error("at {eip:#010x}: the instruction limit is reached")]
    Limit {
        /// Address of the next instruction.
        eip: u32,
    },
    /// A call that a native routine made did not return to it: something has overwritten
    /// the return address.
    #[error("a call from a native routine returned to {eip:#010x} instead of {expected:#010x}")]
    Astray {
        /// Where it returned to.
        eip: u32,
        /// Where it should have.
        expected: u32,
    },
    /// Memory that a caller's own access needs, outside of any instruction.
    #[error(transparent)]
    Access(#[from] MemoryError),
}
