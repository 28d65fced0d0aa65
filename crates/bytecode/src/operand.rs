//! Operands: registers with masks, swizzles, modifiers and relative addresses.

use crate::register::Register;

/// Which components a destination writes; bit 0 is x, bit 3 is w.
///
/// Never empty on an instruction that writes a value; `dcl` and `def` may carry
/// an empty mask, which means nothing to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WriteMask(u8);

impl WriteMask {
    /// All four components.
    pub const ALL: WriteMask = WriteMask(0xF);

    /// The mask of the low four bits of `bits` (x is bit 0).
    pub const fn from_bits(bits: u8) -> Self {
        WriteMask(bits & 0xF)
    }

    /// The mask as bits, x in bit 0.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether component `index` (0 is x) is written. Out of range is `false`.
    pub const fn contains(self, index: usize) -> bool {
        index < 4 && self.0 >> index & 1 != 0
    }

    /// Whether all four components are written.
    pub const fn is_all(self) -> bool {
        self.0 == 0xF
    }

    /// Whether no component is written.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many components are written, 0 to 4.
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The written components' numbers in order, 0 for x.
    pub fn components(self) -> impl Iterator<Item = usize> {
        (0..4).filter(move |i| self.contains(*i))
    }
}

/// Which source component each of the four lanes reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(u8);

impl Swizzle {
    /// `.xyzw`.
    pub const IDENTITY: Swizzle = Swizzle(0xE4);

    /// The swizzle of a token's bits 16 to 23: lane 0 in the low two bits.
    pub const fn from_bits(bits: u8) -> Self {
        Swizzle(bits)
    }

    /// The swizzle that reads `lanes` (each 0 to 3, higher bits ignored).
    pub const fn new(lanes: [u8; 4]) -> Self {
        Swizzle(lanes[0] & 3 | (lanes[1] & 3) << 2 | (lanes[2] & 3) << 4 | (lanes[3] & 3) << 6)
    }

    /// The swizzle that reads `component` (0 to 3) in every lane.
    pub const fn replicate(component: u8) -> Self {
        Swizzle((component & 3) * 0x55)
    }

    /// Bits 16 to 23 of the token.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The component, 0 to 3, that lane `index` (0 to 3) reads.
    pub const fn lane(self, index: usize) -> u8 {
        (self.0 >> ((index & 3) * 2)) & 3
    }

    /// All four lanes.
    pub const fn lanes(self) -> [u8; 4] {
        [self.lane(0), self.lane(1), self.lane(2), self.lane(3)]
    }

    /// Whether this is `.xyzw`.
    pub const fn is_identity(self) -> bool {
        self.0 == Self::IDENTITY.0
    }

    /// The one component all lanes read, if they read the same.
    pub const fn scalar(self) -> Option<u8> {
        let component = self.0 & 3;
        if self.0 == component * 0x55 {
            Some(component)
        } else {
            None
        }
    }
}

/// What happens to a source value after its swizzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SrcModifier {
    /// `r0`.
    None = 0,
    /// `-r0`.
    Neg = 1,
    /// `r0_bias`: x - 0.5.
    Bias = 2,
    /// `-r0_bias`: -(x - 0.5).
    BiasNeg = 3,
    /// `r0_bx2`: 2 (x - 0.5).
    Sign = 4,
    /// `-r0_bx2`: -2 (x - 0.5).
    SignNeg = 5,
    /// `1-r0`.
    Comp = 6,
    /// `r0_x2`: 2 x.
    X2 = 7,
    /// `-r0_x2`: -2 x.
    X2Neg = 8,
    /// `t0_dz`: divide by z (ps_1_4 `texld`, `texcrd`).
    Dz = 9,
    /// `t0_dw`: divide by w (ps_1_4 `texld`, `texcrd`).
    Dw = 10,
    /// `r0_abs`: |x|.
    Abs = 11,
    /// `-r0_abs`: -|x|.
    AbsNeg = 12,
    /// `!p0`: boolean not, on predicates and boolean constants only.
    Not = 13,
}

impl SrcModifier {
    /// Every modifier in the order of its number in a token.
    pub const ALL: [SrcModifier; 14] = [
        SrcModifier::None,
        SrcModifier::Neg,
        SrcModifier::Bias,
        SrcModifier::BiasNeg,
        SrcModifier::Sign,
        SrcModifier::SignNeg,
        SrcModifier::Comp,
        SrcModifier::X2,
        SrcModifier::X2Neg,
        SrcModifier::Dz,
        SrcModifier::Dw,
        SrcModifier::Abs,
        SrcModifier::AbsNeg,
        SrcModifier::Not,
    ];

    /// The modifier numbered `raw` in bits 24 to 27 of a source token.
    pub const fn from_raw(raw: u32) -> Option<Self> {
        if (raw as usize) < Self::ALL.len() {
            Some(Self::ALL[raw as usize])
        } else {
            None
        }
    }

    /// What is written before the register and after it, in assembly text.
    pub(crate) const fn affixes(self) -> (&'static str, &'static str) {
        match self {
            SrcModifier::None => ("", ""),
            SrcModifier::Neg => ("-", ""),
            SrcModifier::Bias => ("", "_bias"),
            SrcModifier::BiasNeg => ("-", "_bias"),
            SrcModifier::Sign => ("", "_bx2"),
            SrcModifier::SignNeg => ("-", "_bx2"),
            SrcModifier::Comp => ("1-", ""),
            SrcModifier::X2 => ("", "_x2"),
            SrcModifier::X2Neg => ("-", "_x2"),
            SrcModifier::Dz => ("", "_dz"),
            SrcModifier::Dw => ("", "_dw"),
            SrcModifier::Abs => ("", "_abs"),
            SrcModifier::AbsNeg => ("-", "_abs"),
            SrcModifier::Not => ("!", ""),
        }
    }
}

/// A relative address: the register whose component is added to the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relative {
    /// `a0` or `aL`. In vs_1_x the address is implied and always `a0.x`.
    pub register: Register,
    /// Component read, 0 (x) to 3 (w); always 0 for `aL`, which has one.
    pub component: u8,
}

/// A destination operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dst {
    /// The register written (or declared, defined, or tested by `texkill`).
    pub register: Register,
    /// Relative address, vs_3_0 outputs only.
    pub relative: Option<Relative>,
    /// Components written.
    pub mask: WriteMask,
    /// `_sat`: clamp the result to 0..1.
    pub saturate: bool,
    /// `_pp`: partial precision suffices.
    pub partial_precision: bool,
    /// `_centroid`: interpolate at a covered point.
    pub centroid: bool,
    /// ps_1_x result shift as a power of two, -3 (`_d8`) to 3 (`_x8`); applied
    /// before `_sat`.
    pub shift: i8,
}

impl Dst {
    /// A plain destination: every component, no modifiers.
    pub const fn new(register: Register) -> Self {
        Dst {
            register,
            relative: None,
            mask: WriteMask::ALL,
            saturate: false,
            partial_precision: false,
            centroid: false,
            shift: 0,
        }
    }
}

/// A source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Src {
    /// The register read.
    pub register: Register,
    /// Relative address, if any.
    pub relative: Option<Relative>,
    /// Component each lane reads.
    pub swizzle: Swizzle,
    /// Applied after the swizzle.
    pub modifier: SrcModifier,
}

impl Src {
    /// A plain source: identity swizzle, no modifier.
    pub const fn new(register: Register) -> Self {
        Src {
            register,
            relative: None,
            swizzle: Swizzle::IDENTITY,
            modifier: SrcModifier::None,
        }
    }
}
