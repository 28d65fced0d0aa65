//! The hard limits of this crate in one place, each with its reason.
//!
//! Nothing here depends on a device's capabilities: a stream within these
//! limits reads the same everywhere.

use crate::register::RegisterKind;
use crate::version::Versions;

/// Tokens in one stream, version and end token included.
///
/// 4 MiB of them. The largest real shaders, ps_3_0 with 512 instruction slots and large
/// constant tables, stay under 20,000; debug information can be some times as long.
pub const MAX_TOKENS: usize = 1 << 20;

/// Tokens of one stream that are not comments.
///
/// A Direct3D 9 device has 32,768 instruction slots at most; an instruction has eight tokens at
/// most where it has a predicate and every operand is addressed relatively, and four on average.
/// It bounds what a stream can ask of later stages, which pass comments over.
pub const MAX_CODE_TOKENS: usize = 1 << 18;

/// Words in one comment block.
///
/// The length field of a comment token is 15 bits wide.
pub const MAX_COMMENT_WORDS: usize = 0x7FFF;

/// Blocks (`if`, `loop`, `rep`) open inside one another.
///
/// D3D9 allows 24 dynamic and 24 static `if` levels and 4 loops at most, which
/// makes 52 together; consumers may recurse this deep.
pub const MAX_NESTING: usize = 64;

/// How deep subroutine calls may nest in hardware versions (`call`, `callnz`).
///
/// D3D9's `StaticFlowControlDepth` is at most 4 (vs_2_x, vs_3_0, ps_3_0).
pub const MAX_CALL_DEPTH: u8 = 4;

/// How deep subroutine calls may nest in software versions.
///
/// D3D9 gives 24 for `vs_2_sw` and `ps_2_sw`.
pub const MAX_CALL_DEPTH_SOFTWARE: u8 = 24;

/// Parameter tokens one instruction may have.
///
/// `texldd` has a destination, four sources, a predicate and, with every
/// operand addressed relatively, five index tokens; the length field of model 2
/// and 3 is 4 bits wide.
pub const MAX_PARAMETERS: usize = 15;

/// Sources of one instruction (`texldd` has four).
pub const MAX_SOURCES: usize = 4;

/// Bytes of assembly text accepted.
///
/// The longest text that a stream of [`MAX_TOKENS`] disassembles to is about
/// 45 MB: [`MAX_CODE_TOKENS`] instructions of one token, indented by [`MAX_NESTING`] blocks, and
/// the rest in comments. What is left is room for hand-written comments.
pub const MAX_TEXT_BYTES: usize = 64 << 20;

/// Bytes of a shader pack.
pub const MAX_PACK_BYTES: usize = 4 << 20;

/// Entries of a shader pack.
pub const MAX_PACK_ENTRIES: usize = 128;

/// Bytes of a shader in a pack.
pub const MAX_PACK_SHADER_BYTES: u32 = 256 << 10;

/// Constants of a constant table that the disassembler lists.
///
/// More would be the work of a hostile file: D3D9 has at most 8,192 float,
/// 2,048 integer and 2,048 boolean registers.
pub(crate) const MAX_LISTED_CONSTANTS: usize = 1_024;

/// Bytes of a name in a constant table that the disassembler shows.
///
/// Names are found by offset and may overlap, so without a bound a small table
/// could ask for gigabytes of text.
pub(crate) const MAX_LISTED_NAME: usize = 128;

/// One register file's size in some versions.
pub(crate) struct RegisterRow {
    pub(crate) kind: RegisterKind,
    pub(crate) versions: Versions,
    pub(crate) count: u16,
}

const fn row(kind: RegisterKind, versions: Versions, count: u16) -> RegisterRow {
    RegisterRow {
        kind,
        versions,
        count,
    }
}

/// Sizes of the register files, from the register tables of the D3D9
/// documentation ("Registers - vs_1_1" ... "Registers - ps_3_0").
///
/// Where the documentation ties a number to a device capability, the largest
/// the capability may be is taken: any vertex shader may name 8,192 float
/// constants, which software vertex processing has, and shipped vs_2_0 shaders
/// do go past the 256 of hardware. The software versions widen integer and
/// boolean constants to 2,048 as well; their rows come first because the first
/// row that names a version counts.
pub(crate) const REGISTERS: &[RegisterRow] = {
    use RegisterKind as K;
    use Versions as V;
    const VS_SW: Versions = Versions(1 << 4 | 1 << 6);
    const PS_SW: Versions = Versions(1 << 14 | 1 << 16);
    &[
        row(K::Temp, V::VS1.or(V::VS2_0), 12),
        row(K::Temp, V::VS2X_UP, 32),
        row(K::Temp, V::PS1_1_TO_3, 2),
        row(K::Temp, V::PS1_4, 6),
        row(K::Temp, V::PS2_0, 12),
        row(K::Temp, V::PS2X_UP, 32),
        row(K::Input, V::VS, 16),
        row(K::Input, V::PS1.or(V::PS2), 2),
        row(K::Input, V::PS3, 10),
        row(K::Const, V::VS.or(PS_SW), 8_192),
        row(K::Const, V::PS1, 8),
        row(K::Const, V::PS2, 32),
        row(K::Const, V::PS3, 224),
        row(K::Address, V::VS, 1),
        row(K::Texture, V::PS1_1_TO_3, 4),
        row(K::Texture, V::PS1_4, 6),
        row(K::Texture, V::PS2, 8),
        row(K::RastOut, V::VS1.or(V::VS2), 3),
        row(K::AttrOut, V::VS1.or(V::VS2), 2),
        row(K::TexCoordOut, V::VS1.or(V::VS2), 8),
        row(K::Output, V::VS3, 12),
        row(K::ConstInt, VS_SW.or(PS_SW), 2_048),
        row(K::ConstInt, V::VS2_UP.or(V::PS2X_UP), 16),
        row(K::ConstBool, VS_SW.or(PS_SW), 2_048),
        row(K::ConstBool, V::VS2_UP.or(V::PS2X_UP), 16),
        row(K::ColorOut, V::PS2_UP, 4),
        row(K::DepthOut, V::PS2_UP, 1),
        row(K::Sampler, V::PS2_UP, 16),
        row(K::Sampler, V::VS3, 4),
        row(K::Loop, V::VS2_UP.or(V::PS3), 1),
        row(K::Misc, V::PS3, 2),
        row(K::Label, V::VS2_0, 16),
        row(K::Label, V::VS2X_UP.or(V::PS2X_UP), 2_048),
        row(K::Predicate, V::SM2X_UP, 1),
    ]
};
