//! The hard limits of translation in one place, each with its reason.
//!
//! Together with the limits of a stream (`ninefold_bytecode::limits`: 262,144 tokens of
//! instructions, blocks nested 64 deep, calls nested 24 deep) they bound what one translation may allocate:
//!
//! | what | bound | because |
//! |---|---|---|
//! | instructions lowered | [`MAX_INLINED`] | calls are inlined, and 24 levels of calls would multiply |
//! | naga expressions | [`MAX_EXPRESSIONS_PER_INSTRUCTION`] for each, and 4,096 around them | no instruction expands to more; a test holds it over all cases and mutants |
//! | memory of a module | about 220 bytes an expression | naga's expression, its type and the validator's notes of it: 30,000 `mad` of three expressions took 19 MiB |
//! | text of a target | about 100 bytes an expression | every value that is used twice is a variable: the same as WGSL are 56 bytes an instruction |
//! | rows of constants | 8,192 + 2,048 + 2,048 | the register files of software vertex processing |
//! | loops at run time | [`MAX_ITERATIONS`] turns, nested as the stream nests them | `i#.x` has 8 bits in D3D9 |

/// Instructions of one function once its subroutine calls are inlined.
///
/// The most slots a Direct3D 9 device can report (`MaxVertexShader30InstructionSlots` and
/// `MaxPixelShader30InstructionSlots` end at 32,768).
pub const MAX_INLINED: u32 = 32_768;

/// Times a `loop` or `rep` turns, at most.
///
/// Direct3D 9 gives the count 8 bits. It also makes every loop end, so the writers add no guards.
pub const MAX_ITERATIONS: i32 = 255;

/// naga expressions that one instruction becomes, helper functions apart.
///
/// The largest are `m4x4` on indexed constants (four rows, each an indexed read with its bounds
/// test and a dot product) and a texture matrix's last row with a border.
pub const MAX_EXPRESSIONS_PER_INSTRUCTION: usize = 96;

/// Tables of finished functions that a thread keeps for the next ones: an entry point's two and
/// those of a helper in the making.
pub(crate) const SPARE_TABLES: usize = 8;

/// Entries that a kept table may have room for: a few large shaders must not hold their memory
/// for ever. 16,384 are those of a function of about 4,000 instructions.
pub(crate) const SPARE_ENTRIES: usize = 16_384;
