//! The operations a program consists of: instructions with their registers
//! resolved to places and their jumps to indices.

use ninefold_bytecode::{Comparison, SamplerKind, SrcModifier};

/// One operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) what: What,
    /// Sources that are read, see [`What::operands`].
    pub(crate) operands: u8,
    pub(crate) dst: Dst,
    pub(crate) srcs: [Src; MAX_OPERANDS],
    pub(crate) predicate: Option<Predicate>,
    /// The result waits until the next operation has its own: a co-issued pair.
    pub(crate) paired: bool,
    /// The relative constant addresses of the sources are checked first.
    pub(crate) checked: bool,
    /// Number of the instruction in the stream.
    pub(crate) number: u32,
    /// Its offset in bytes.
    pub(crate) byte_offset: u32,
}

/// A vector and the four rows of a matrix.
pub(crate) const MAX_OPERANDS: usize = 5;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    Mov,
    Add,
    Sub,
    Mul,
    Mad,
    Lrp,
    Min,
    Max,
    Slt,
    Sge,
    Abs,
    Frc,
    Sgn,
    Cmp,
    Cnd,
    /// The second source: a co-issued `cnd` of colours.
    Second,
    Crs,
    DstVector,
    Lit,
    ExppParts,
    LogpParts,
    SinCos,
    Nrm,
    Dp3,
    Dp4,
    Dp2Add,
    /// Dot products of source 0 with `rows` rows, over `width` components.
    Matrix {
        rows: u8,
        width: u8,
    },
    Rcp,
    Rsq,
    Exp,
    Log,
    Pow,
    Dsx,
    Dsy,
    Setp(Comparison),
    /// Kills pixels where one of the components `mask` of source 0 is below 0.
    Kill {
        mask: u8,
    },
    /// `bem` with the matrix of a stage.
    Bem {
        stage: u8,
    },
    Texture(Texture),
    Flow(Flow),
}

impl What {
    /// Sources that an arithmetic operation reads; of matrices the vector alone.
    pub(crate) fn operands(self) -> u8 {
        match self {
            What::Mad | What::Lrp | What::Cmp | What::Cnd | What::Dp2Add => 3,
            What::Add
            | What::Sub
            | What::Mul
            | What::Min
            | What::Max
            | What::Slt
            | What::Sge
            | What::Second
            | What::Crs
            | What::DstVector
            | What::Dp3
            | What::Dp4
            | What::Pow
            | What::Bem { .. } => 2,
            _ => 1,
        }
    }
}

/// Operations that address textures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Texture {
    /// Samples at source 0; gradients are sources 1 and 2.
    Sample {
        sampler: u8,
        kind: SamplerKind,
        mode: Mode,
        /// Component of the texel that each lane gets.
        swizzle: [u8; 4],
    },
    /// `texcoord`: source 0 clamped to 0 to 1, w is 1.
    Coordinate,
    /// `texbem`, `texbeml`: samples at source 1 moved by source 0.
    Bump { stage: u8, luminance: bool },
    /// A row of a matrix, kept for the operation that completes it: source 0
    /// times the coordinates, source 1.
    Row { stage: u8 },
    /// The last row, in the same way; then what is done with all of them.
    Rows { stage: u8, then: Rows },
    /// `texdp3`, `texdp3tex`: one dot product, sampled or not.
    Dot { stage: u8, sample: bool },
    /// `texdepth`: x / y of source 0 to depth.
    Depth,
}

/// What becomes of the rows of a texture matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rows {
    /// `texm3x2tex`.
    Sample2,
    /// `texm3x2depth`.
    Depth,
    /// `texm3x3`.
    Vector,
    /// `texm3x3tex`.
    Sample3,
    /// `texm3x3spec`: reflects source 2.
    Reflect,
    /// `texm3x3vspec`: reflects the fourth coordinates, x of sources 2, 3 and 4.
    ReflectCoordinates,
}

/// Which level a sample reads, and what is done to the coordinate first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    Plain,
    /// Divides by this component.
    Project(u8),
    Bias,
    Level,
    Gradients,
}

/// Operations that change what runs next. Targets are indices of operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flow {
    /// `otherwise` is the else or endif of this if.
    If {
        test: Test,
        otherwise: u32,
    },
    /// `end` is the endif.
    Else {
        end: u32,
    },
    EndIf,
    /// `after` follows the end of the loop.
    Loop {
        counts: Counts,
        counter: bool,
        after: u32,
    },
    /// `body` follows the loop's start.
    EndLoop {
        body: u32,
    },
    Break(Test),
    Call {
        test: Test,
        target: u32,
    },
    /// `ret` inside a block.
    Leave,
    /// `ret` at the end of a subroutine.
    Return,
    End,
}

/// A condition, lane by lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    Always,
    /// The application's boolean constant.
    Constant {
        index: u16,
        not: bool,
    },
    Known(bool),
    Predicate {
        component: u8,
        not: bool,
    },
    /// Scalars of sources 0 and 1.
    Compare(Comparison),
}

/// Count, start and step of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Counts {
    Constant(u16),
    Known([i32; 4]),
}

/// The predicate of an operation: which of its components each lane looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Predicate {
    pub(crate) swizzle: [u8; 4],
    pub(crate) not: bool,
}

/// Where a value is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Register(u16),
    /// The application's float constant.
    Constant(u16),
    /// The same, clamped to -1 to 1.
    ClampedConstant(u16),
    /// A constant of the shader's own, by index in the program's list.
    Literal(u16),
    /// Register `index` plus an address of a file of `count` that begins at `first`.
    RelativeRegister {
        first: u16,
        count: u16,
        index: u16,
        by: Address,
    },
    RelativeConstant {
        index: u16,
        by: Address,
    },
}

/// What a relative address adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Address {
    /// A component of `a0`.
    A0(u8),
    /// `aL`.
    Loop,
}

/// A source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Src {
    pub(crate) place: Place,
    pub(crate) swizzle: [u8; 4],
    pub(crate) modifier: SrcModifier,
}

impl Src {
    pub(crate) const fn of(place: Place) -> Self {
        Src {
            place,
            swizzle: [0, 1, 2, 3],
            modifier: SrcModifier::None,
        }
    }
}

/// A destination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dst {
    pub(crate) target: Target,
    /// Components written, x in bit 0.
    pub(crate) mask: u8,
    pub(crate) saturate: bool,
    /// What the result is multiplied by, a power of two.
    pub(crate) scale: f32,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    None,
    Register(u16),
    RelativeRegister {
        first: u16,
        count: u16,
        index: u16,
        by: Address,
    },
    /// `a0`, rounded down or to nearest; `nan` is the address of what is no number.
    Address {
        floor: bool,
        nan: i32,
    },
    Predicate,
}

impl Dst {
    pub(crate) const NONE: Dst = Dst {
        target: Target::None,
        mask: 0,
        saturate: false,
        scale: 1.0,
    };
}
