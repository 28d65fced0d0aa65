//! Operands: registers to places, masks and modifiers to what is left of them.

use super::address;
use super::survey::Survey;
use crate::op::{Dst, Place, Predicate, Rows, Src, Target, Texture, What};
use ninefold_bytecode::{self as bytecode, Instruction, Opcode, RegisterKind, SrcModifier};

impl Survey {
    /// A source, `row` registers further.
    pub(super) fn source(&self, src: &bytecode::Src, row: u16) -> Src {
        Src {
            place: self.place(src, row),
            swizzle: src.swizzle.lanes(),
            modifier: src.modifier,
        }
    }

    fn place(&self, src: &bytecode::Src, row: u16) -> Place {
        let kind = src.register.kind;
        let index = src.register.index + row;
        let clamps = self.version.is_pixel() && self.version.major == 1;
        match (kind, src.relative) {
            (RegisterKind::Const, Some(relative)) => Place::RelativeConstant {
                index,
                by: address(relative),
            },
            (_, Some(relative)) => {
                let (first, count) = self.first_and_count(kind);
                Place::RelativeRegister {
                    first,
                    count,
                    index,
                    by: address(relative),
                }
            }
            (RegisterKind::Const, None) => match self.float_literal(index) {
                Some(place) => Place::Literal(place),
                None if clamps => Place::ClampedConstant(index),
                None => Place::Constant(index),
            },
            (
                RegisterKind::ConstInt
                | RegisterKind::ConstBool
                | RegisterKind::Sampler
                | RegisterKind::Label
                | RegisterKind::Loop
                | RegisterKind::Address
                | RegisterKind::Predicate,
                None,
            ) => Place::Literal(u16::MAX),
            (_, None) => Place::Register(self.register(kind, index)),
        }
    }

    /// The register that `texkill` tests: the coordinates themselves before ps_1_4.
    pub(super) fn tested(&self, instruction: &Instruction) -> Place {
        let Some(dst) = instruction.dst else {
            return Place::Literal(u16::MAX);
        };
        Place::Register(match (dst.register.kind, self.version.major) {
            (RegisterKind::Texture, 1) => self.coordinates(dst.register.index),
            (kind, _) => self.register(kind, dst.register.index),
        })
    }

    pub(super) fn destination(&self, instruction: &Instruction, what: What) -> Dst {
        let Some(dst) = &instruction.dst else {
            return Dst::NONE;
        };
        let register = dst.register;
        let (first, count) = self.first_and_count(register.kind);
        let target = match (what, register.kind, dst.relative) {
            (What::Kill { .. }, ..) => Target::None,
            (What::Texture(Texture::Row { .. } | Texture::Depth), ..) => Target::None,
            (
                What::Texture(Texture::Rows {
                    then: Rows::Depth, ..
                }),
                ..,
            ) => Target::None,
            (_, RegisterKind::Address, _) => Target::Address {
                floor: self.version.major == 1 && instruction.op == Opcode::Mov,
                nan: 0,
            },
            (_, RegisterKind::Predicate, _) => Target::Predicate,
            (_, _, Some(relative)) => Target::RelativeRegister {
                first,
                count,
                index: register.index,
                by: address(relative),
            },
            _ => Target::Register(first + register.index),
        };
        // Components that these instructions do not define.
        let defined = match what {
            What::Crs => 0b0111,
            What::SinCos | What::Bem { .. } => 0b0011,
            What::Matrix { rows, .. } => (1 << rows) - 1,
            _ => 0b1111,
        };
        Dst {
            target,
            mask: dst.mask.bits() & defined,
            saturate: dst.saturate,
            scale: f32::from(dst.shift).exp2(),
        }
    }
}

pub(super) fn predicate(src: &bytecode::Src) -> Predicate {
    Predicate {
        swizzle: src.swizzle.lanes(),
        not: src.modifier == SrcModifier::Not,
    }
}

/// Number of the destination register: the texture stage of ps_1_x.
pub(super) fn destination_index(instruction: &Instruction) -> u8 {
    instruction.dst.map_or(0, |dst| dst.register.index as u8)
}
