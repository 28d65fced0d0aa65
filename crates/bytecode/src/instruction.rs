//! One decoded instruction.

use crate::opcode::Opcode;
use crate::operand::{Dst, Src};

/// One instruction, decoded; plain data without allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instruction {
    /// What it does.
    pub op: Opcode,
    /// Bits 16 to 23 of the instruction token: the comparison of `ifc`,
    /// `breakc` and `setp` (see [`Instruction::comparison`]); 1 for `texldp`
    /// and 2 for `texldb` on [`Opcode::Tex`]; 0 otherwise.
    pub controls: u8,
    /// `+`: runs together with the instruction before it (ps_1_x).
    pub coissue: bool,
    /// The predicate of `(p0.x) mov ...`: which components of the result are
    /// written, lane by lane.
    pub predicate: Option<Src>,
    /// The destination. `texkill` has its tested register here, as its token
    /// does; `dcl` and `def` have the declared register here.
    pub dst: Option<Dst>,
    pub(crate) srcs: [Src; crate::limits::MAX_SOURCES],
    pub(crate) src_count: u8,
    /// What `dcl` and the `def` family carry besides a register.
    pub payload: Payload,
    /// Offset of the instruction token from the start of the stream, in bytes.
    pub byte_offset: u32,
    /// Number of the instruction in the stream, 0 for the first; `dcl` and `def`
    /// count, comments do not.
    pub number: u32,
    /// The instruction token as it stands in the stream.
    pub token: u32,
    /// Tokens the instruction takes up, its own included: 1 to 16.
    pub words: u8,
}

impl Instruction {
    /// The source operands, at most four, in the order of the text.
    pub fn srcs(&self) -> &[Src] {
        &self.srcs[..usize::from(self.src_count)]
    }

    /// The comparison of `ifc`, `breakc` and `setp`; `None` for others.
    pub const fn comparison(&self) -> Option<Comparison> {
        match self.op {
            Opcode::Ifc | Opcode::Breakc | Opcode::Setp => Comparison::from_raw(self.controls),
            _ => None,
        }
    }
}

/// What `dcl` and the `def` family carry besides a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Every other instruction.
    None,
    /// `dcl`.
    Dcl(Declaration),
    /// `def`: four floats as their bits.
    Def([u32; 4]),
    /// `defi`: four integers.
    DefI([i32; 4]),
    /// `defb`: a boolean (any non-zero token is true).
    DefB(bool),
}

/// What a `dcl` says about its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// D3DDECLUSAGE. For registers that carry no usage (samplers, ps_2_x `t#`
    /// and `v#`, `vPos`, `vFace`) it is what the token says, normally
    /// [`Usage::Position`], and means nothing.
    pub usage: Usage,
    /// Usage index, 0 to 15.
    pub usage_index: u8,
    /// What a declared sampler samples; `None` when the register is no sampler.
    pub sampler_kind: Option<SamplerKind>,
}

/// D3DSAMPLER_TEXTURE_TYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SamplerKind {
    /// Not stated (0); the bound texture decides.
    Unknown,
    /// `dcl_2d`.
    D2,
    /// `dcl_cube`.
    Cube,
    /// `dcl_volume`.
    Volume,
}

impl SamplerKind {
    /// The kind numbered `raw` in bits 27 to 30 of a `dcl` token.
    pub const fn from_raw(raw: u32) -> Option<Self> {
        Some(match raw {
            0 => SamplerKind::Unknown,
            2 => SamplerKind::D2,
            3 => SamplerKind::Cube,
            4 => SamplerKind::Volume,
            _ => return None,
        })
    }

    /// The kind's number in a `dcl` token.
    pub const fn raw(self) -> u32 {
        match self {
            SamplerKind::Unknown => 0,
            SamplerKind::D2 => 2,
            SamplerKind::Cube => 3,
            SamplerKind::Volume => 4,
        }
    }

    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            SamplerKind::Unknown => "",
            SamplerKind::D2 => "_2d",
            SamplerKind::Cube => "_cube",
            SamplerKind::Volume => "_volume",
        }
    }
}

/// D3DDECLUSAGE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Usage {
    /// `dcl_position`.
    Position = 0,
    /// `dcl_blendweight`.
    BlendWeight = 1,
    /// `dcl_blendindices`.
    BlendIndices = 2,
    /// `dcl_normal`.
    Normal = 3,
    /// `dcl_psize`.
    PSize = 4,
    /// `dcl_texcoord`.
    TexCoord = 5,
    /// `dcl_tangent`.
    Tangent = 6,
    /// `dcl_binormal`.
    Binormal = 7,
    /// `dcl_tessfactor`.
    TessFactor = 8,
    /// `dcl_positiont`.
    PositionT = 9,
    /// `dcl_color`.
    Color = 10,
    /// `dcl_fog`.
    Fog = 11,
    /// `dcl_depth`.
    Depth = 12,
    /// `dcl_sample`.
    Sample = 13,
}

impl Usage {
    /// Every usage in the order of its number.
    pub const ALL: [Usage; 14] = [
        Usage::Position,
        Usage::BlendWeight,
        Usage::BlendIndices,
        Usage::Normal,
        Usage::PSize,
        Usage::TexCoord,
        Usage::Tangent,
        Usage::Binormal,
        Usage::TessFactor,
        Usage::PositionT,
        Usage::Color,
        Usage::Fog,
        Usage::Depth,
        Usage::Sample,
    ];

    /// The usage numbered `raw`.
    pub const fn from_raw(raw: u32) -> Option<Self> {
        if (raw as usize) < Self::ALL.len() {
            Some(Self::ALL[raw as usize])
        } else {
            None
        }
    }

    /// The name as in `dcl_texcoord`.
    pub const fn name(self) -> &'static str {
        match self {
            Usage::Position => "position",
            Usage::BlendWeight => "blendweight",
            Usage::BlendIndices => "blendindices",
            Usage::Normal => "normal",
            Usage::PSize => "psize",
            Usage::TexCoord => "texcoord",
            Usage::Tangent => "tangent",
            Usage::Binormal => "binormal",
            Usage::TessFactor => "tessfactor",
            Usage::PositionT => "positiont",
            Usage::Color => "color",
            Usage::Fog => "fog",
            Usage::Depth => "depth",
            Usage::Sample => "sample",
        }
    }
}

/// D3DSHADER_COMPARISON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Comparison {
    /// `_gt`: a > b.
    Gt = 1,
    /// `_eq`: a = b.
    Eq = 2,
    /// `_ge`: a >= b.
    Ge = 3,
    /// `_lt`: a < b.
    Lt = 4,
    /// `_ne`: a <> b.
    Ne = 5,
    /// `_le`: a <= b.
    Le = 6,
}

impl Comparison {
    /// Every comparison in the order of its number, from 1.
    pub const ALL: [Comparison; 6] = [
        Comparison::Gt,
        Comparison::Eq,
        Comparison::Ge,
        Comparison::Lt,
        Comparison::Ne,
        Comparison::Le,
    ];

    /// The comparison numbered `raw` in an instruction's controls.
    pub const fn from_raw(raw: u8) -> Option<Self> {
        match raw {
            1..=6 => Some(Self::ALL[raw as usize - 1]),
            _ => None,
        }
    }

    /// The two letters after the mnemonic.
    pub const fn name(self) -> &'static str {
        match self {
            Comparison::Gt => "gt",
            Comparison::Eq => "eq",
            Comparison::Ge => "ge",
            Comparison::Lt => "lt",
            Comparison::Ne => "ne",
            Comparison::Le => "le",
        }
    }
}
