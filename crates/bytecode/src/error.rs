//! What can be wrong with a token stream, and where.

use crate::register::{Register, RegisterKind};
use crate::version::Version;
use std::fmt;

/// Why a token stream was refused: the place and the reason.
///
/// The message names the byte offset, the instruction's number and mnemonic,
/// the operand, what was found and what was expected.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    byte_offset: usize,
    instruction: Option<u32>,
    name: &'static str,
    operand: Option<Operand>,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, byte_offset: usize) -> Self {
        Error(Box::new(Inner {
            kind,
            byte_offset,
            instruction: None,
            name: "",
            operand: None,
        }))
    }

    #[cold]
    pub(crate) fn in_instruction(mut self, number: u32, name: &'static str) -> Self {
        self.0.instruction = Some(number);
        self.0.name = name;
        self
    }

    #[cold]
    pub(crate) fn at_operand(mut self, operand: Operand) -> Self {
        self.0.operand = Some(operand);
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Offset in bytes, from the start of the stream, of the token at fault.
    pub fn byte_offset(&self) -> usize {
        self.0.byte_offset
    }

    /// Number of the instruction at fault, 0 for the first (comments do not
    /// count), when the fault lies in an instruction.
    pub fn instruction(&self) -> Option<u32> {
        self.0.instruction
    }

    /// Which operand of the instruction is at fault, when one is.
    pub fn operand(&self) -> Option<Operand> {
        self.0.operand
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            kind,
            byte_offset,
            instruction,
            name,
            operand,
        } = &*self.0;
        write!(f, "byte {byte_offset:#x}")?;
        if let Some(number) = instruction {
            write!(f, ", instruction {number}")?;
            if !name.is_empty() {
                write!(f, " ({name})")?;
            }
        }
        if let Some(operand) = operand {
            write!(f, ", {operand}")?;
        }
        write!(f, ": {kind}")
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {}

/// An operand's place in its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The destination.
    Destination,
    /// The address register of the destination.
    DestinationAddress,
    /// The predicate.
    Predicate,
    /// Source number, from 0.
    Source(u8),
    /// The address register of this source.
    SourceAddress(u8),
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Destination => f.write_str("destination"),
            Operand::DestinationAddress => f.write_str("address register of the destination"),
            Operand::Predicate => f.write_str("predicate"),
            Operand::Source(n) => write!(f, "source {n}"),
            Operand::SourceAddress(n) => write!(f, "address register of source {n}"),
        }
    }
}

/// What is wrong with a token stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is not even a version token.
    #[error("the stream holds no whole token, expected a version token")]
    Empty,
    /// The first token is no version token.
    #[error("expected a version token (0xFFFEmmmm or 0xFFFFmmmm), found {0:#010x}")]
    NotAShader(u32),
    /// The version token names a version that D3D9 does not have.
    #[error(
        "expected vs_1_0, vs_1_1, vs_2_0, vs_2_x, vs_2_sw, vs_3_0, vs_3_sw, ps_1_0 to ps_1_4, \
         ps_2_0, ps_2_x, ps_2_sw, ps_3_0 or ps_3_sw, found version token {0:#010x}"
    )]
    UnknownVersion(u32),
    /// The stream stops before its end token.
    #[error("the stream stops here, expected {0}")]
    Truncated(&'static str),
    /// No end token within the bound.
    #[error(
        "expected the end token 0x0000FFFF within {} tokens",
        crate::limits::MAX_TOKENS
    )]
    TooLong,
    /// Too many tokens that are not comments.
    #[error(
        "more than {} tokens that are no comments",
        crate::limits::MAX_CODE_TOKENS
    )]
    TooMuchCode,
    /// A comment is longer than what is left of the stream.
    #[error("a comment of {words} words does not fit in the {left} tokens that are left")]
    Comment {
        /// Words the comment token states.
        words: usize,
        /// Tokens after it.
        left: usize,
    },
    /// Bits are set that D3D9 reserves.
    #[error("reserved bits are set in {0} token {1:#010x}")]
    ReservedBits(&'static str, u32),
    /// No such opcode in any version.
    #[error("unknown opcode {0}")]
    UnknownOpcode(u32),
    /// The opcode is not part of the stream's version.
    #[error("{name} is no instruction of {version}")]
    OpcodeVersion {
        /// Mnemonic.
        name: &'static str,
        /// Version of the stream.
        version: Version,
    },
    /// Bits 16 to 23 hold a number that the opcode does not know.
    #[error("controls {0} (bits 16 to 23 of the instruction token), expected {1}")]
    Controls(u8, &'static str),
    /// The instruction's length field and its operands disagree.
    #[error("the instruction states {stated} parameter tokens, its operands take {actual}")]
    Length {
        /// What the token says.
        stated: usize,
        /// What the operands need.
        actual: usize,
    },
    /// A parameter token has bit 31 clear.
    #[error("expected a parameter token (bit 31 set), found {0:#010x}")]
    NotAParameter(u32),
    /// The register type is none of D3D9's.
    #[error("unknown register type {0}")]
    RegisterType(u32),
    /// The version has no such register file, or the operand may not be in it.
    #[error("{register} is not allowed here, expected {expected}")]
    RegisterKind {
        /// The register's name.
        register: String,
        /// What may stand here.
        expected: String,
    },
    /// The register number is outside its file.
    #[error("{}{index} does not exist: {version} has {count} registers {kind}", kind.prefix())]
    RegisterIndex {
        /// The register file.
        kind: RegisterKind,
        /// The number (the highest one touched, for matrix instructions).
        index: u32,
        /// Size of the file.
        count: u16,
        /// Version of the stream.
        version: Version,
    },
    /// The register cannot be written.
    #[error("{0} cannot be written in {1}")]
    NotWritable(String, Version),
    /// The write mask is empty.
    #[error("the write mask is empty, expected at least one of x, y, z, w")]
    EmptyMask,
    /// Not a source modifier, or not one this operand may have.
    #[error("source modifier {0} is not allowed here, expected {1}")]
    Modifier(u32, &'static str),
    /// Not a result shift.
    #[error("result shift {0} is not allowed here, expected {1}")]
    Shift(i8, &'static str),
    /// Relative addressing where there is none.
    #[error("{0} cannot be addressed relatively in {1}")]
    Relative(RegisterKind, Version),
    /// The address register is none.
    #[error("expected a0 or aL without a modifier as the address register, found {0}")]
    AddressRegister(String),
    /// Not a usage, usage index or texture type of a `dcl`.
    #[error("{what} {value} is unknown in a dcl token")]
    Declaration {
        /// Which field.
        what: &'static str,
        /// Its value.
        value: u32,
    },
    /// A sampler is declared twice, differently.
    #[error("s{0} was declared before with another texture type")]
    SamplerRedeclared(u16),
    /// `+` where no pair can be formed.
    #[error("co-issue: {0}")]
    Coissue(&'static str),
    /// A predicate where none may be.
    #[error("predicate: {0}")]
    Predicate(&'static str),
    /// Blocks, labels or phases in a wrong order.
    #[error("{0}")]
    Structure(&'static str),
    /// Blocks nested too deep.
    #[error("blocks are nested deeper than {}", crate::limits::MAX_NESTING)]
    TooDeep,
    /// Calls nested too deep.
    #[error("subroutine calls nest deeper than {limit} in {version}")]
    CallDepth {
        /// The version's limit.
        limit: u8,
        /// Version of the stream.
        version: Version,
    },
    /// A label is defined twice, called backwards, or called and not there.
    #[error("label l{0} {1}")]
    Label(u16, &'static str),
    /// A `texm3x2*` or `texm3x3*` without its pads.
    #[error("texture stage {stage} needs {expected} before it")]
    Pads {
        /// Stage of the instruction, its destination's number.
        stage: u16,
        /// The missing instructions.
        expected: &'static str,
    },
}

impl ErrorKind {
    #[cold]
    pub(crate) fn kind(register: Register, expected: String) -> Self {
        ErrorKind::RegisterKind {
            register: register.name().to_string(),
            expected,
        }
    }
}
