//! Radial fog: vertex shaders rewritten so that fog is measured from the eye.
//!
//! A shader that fogs by depth evaluates a plane that lies across the view: the fog depends on
//! where the camera looks, and a world drawn from one eye in several directions shows a step where
//! two pictures meet. The rewrite adds `s * (|P - eye| - depth)` to each such *term*, which makes
//! it a distance: equal in every direction, unchanged on the axis of the view.
//!
//! The constants are those that the engine in question keeps for fog:
//!
//! | register | value |
//! |---|---|
//! | [`EYE`] | the eye's position |
//! | [`ATMOSPHERE`] | `s * (fwd, -(near + dot(fwd, eye)))`: depth along the view's unit axis `fwd` |
//! | [`PLANE`] | the fog plane; a plane of the world, or one laid across the view: `(-fwd, dot(fwd, eye) + k)` |
//! | [`PLANAR_DEPTH`] | `a * (fwd, -dot(fwd, eye))` |
//!
//! As `fwd` has length 1, `s` is the length of the plane's normal, so no further constant is
//! needed. [`scan`] says what would be done to a shader, or why nothing; [`rewrite`] does it.
//!
//! ```
//! use ninefold_bytecode::{assemble, disassemble, radial_fog::{self, Mode}};
//!
//! let code = assemble("vs_1_1\n dcl_position v0\n m4x4 oPos, v0, c0\n dp4 oFog, v0, c6\n")?;
//! let declined = radial_fog::rewrite(&code, Mode::Depth).unwrap_err();
//! assert_eq!(
//!     declined.to_string(),
//!     "m4x4 (byte 0x10, instruction 1) reads registers it does not name"
//! );
//!
//! let code = assemble("vs_1_1\n dcl_position v0\n mov oPos, v0\n dp4 oFog, v0, c6\n")?;
//! let radial = radial_fog::rewrite(&code, Mode::Depth)?;
//! assert_eq!(radial.tokens().len(), code.tokens().len() + radial_fog::GROWTH);
//! assert!(disassemble(&radial).contains("add oFog, r11.x, r11.w"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod edit;
#[cfg(test)]
mod tests;

use crate::code::ShaderCode;
use crate::instruction::{Instruction, Payload};
use crate::opcode::Opcode;
use crate::operand::{Dst, Src, SrcModifier};
use crate::register::RegisterKind;
use crate::version::{Stage, Version};
use std::fmt;

pub use edit::rewrite;

/// The constant register that holds the eye's position (x, y, z).
pub const EYE: u16 = 4;
/// The constant register of the plane of atmospheric fog.
pub const ATMOSPHERE: u16 = 6;
/// The constant register of the fog plane.
pub const PLANE: u16 = 7;
/// The constant register of the depth that planar fog takes.
pub const PLANAR_DEPTH: u16 = 8;

/// Tokens that a shader grows by for each term: ten instructions of 39 tokens take the place of one
/// of 4.
pub const GROWTH: usize = 35;

/// Bytes of a shader, before and after, that is rewritten: 1 MiB.
pub const MAX_BYTES: usize = 1 << 20;

/// Temporaries of vs_1_1.
const TEMPORARIES: u16 = 12;

/// Which terms are rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mode {
    /// Those of [`ATMOSPHERE`] and [`PLANAR_DEPTH`].
    Depth = 1,
    /// Those of [`PLANE`] as well, which is laid across the view.
    ViewPlane = 2,
}

impl Mode {
    /// Both modes in the order of their numbers.
    pub const ALL: [Mode; 2] = [Mode::Depth, Mode::ViewPlane];

    /// The mode numbered `raw`; 0 is none.
    pub const fn from_raw(raw: u32) -> Option<Self> {
        match raw {
            1 => Some(Mode::Depth),
            2 => Some(Mode::ViewPlane),
            _ => None,
        }
    }

    const fn covers(self, constant: u16) -> bool {
        match constant {
            ATMOSPHERE | PLANAR_DEPTH => true,
            PLANE => matches!(self, Mode::ViewPlane),
            _ => false,
        }
    }
}

/// The modes that make a difference to a shader: none where it has no term by depth, [`Mode::ViewPlane`]
/// where it has others besides.
pub fn modes(code: &ShaderCode) -> &'static [Mode] {
    let terms = |mode| scan(code, mode).map_or(0, |plan| plan.terms.len());
    match terms(Mode::Depth) {
        0 => &[],
        by_depth if terms(Mode::ViewPlane) > by_depth => &Mode::ALL,
        _ => &Mode::ALL[..1],
    }
}

/// How a term evaluates its plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `dp4 D, P, cK`.
    Dp4,
    /// `dp3 D, P, cK`, then `add D, D, cK.w`.
    Dp3AddW,
}

/// An instruction that evaluates a fog plane at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// How.
    pub form: Form,
    /// [`ATMOSPHERE`], [`PLANE`] or [`PLANAR_DEPTH`].
    pub constant: u16,
    /// The instruction; of [`Form::Dp3AddW`] the `dp3`.
    pub instruction: Instruction,
}

/// What the rewrite does to a shader.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The terms in the order of the shader, one at least.
    pub terms: Vec<Term>,
    /// The number of the temporary that the new instructions use: the highest of `r0` to `r11` that
    /// the shader does not name.
    pub scratch: u16,
}

/// Why a shader is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Declined {
    /// It is not vs_1_1.
    Version(Version),
    /// It has more than [`MAX_BYTES`], or would have.
    TooLong {
        /// Its size in bytes.
        bytes: usize,
    },
    /// An instruction whose registers the scan does not know: matrix products read rows that they
    /// do not name.
    Instruction {
        /// The mnemonic.
        name: &'static str,
        /// Where it is, in bytes from the start of the stream.
        byte_offset: u32,
        /// Its number in the stream.
        number: u32,
    },
    /// An instruction with more parameters than it takes.
    Parameters {
        /// The mnemonic.
        name: &'static str,
        /// Where it is, in bytes from the start of the stream.
        byte_offset: u32,
        /// Its number in the stream.
        number: u32,
    },
    /// Every temporary is used.
    NoTemporary,
    /// No instruction is a term of the mode.
    NoTerm(Mode),
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Declined::Version(version) => write!(f, "{version}, expected vs_1_1"),
            Declined::TooLong { bytes } => {
                write!(f, "{bytes} bytes, at most {MAX_BYTES} are rewritten")
            }
            Declined::Instruction {
                name,
                byte_offset,
                number,
            } => write!(
                f,
                "{name} (byte {byte_offset:#x}, instruction {number}) reads registers it does not \
                 name"
            ),
            Declined::Parameters {
                name,
                byte_offset,
                number,
            } => write!(
                f,
                "{name} (byte {byte_offset:#x}, instruction {number}) has more parameters than it \
                 takes"
            ),
            Declined::NoTemporary => f.write_str("all of r0 to r11 are used, one is needed"),
            Declined::NoTerm(Mode::Depth) => {
                f.write_str("nothing evaluates c6 or c8 as a plane at a position")
            }
            Declined::NoTerm(Mode::ViewPlane) => {
                f.write_str("nothing evaluates c6, c7 or c8 as a plane at a position")
            }
        }
    }
}

impl std::error::Error for Declined {}

/// Finds the terms of a shader and a temporary that it does not use.
///
/// # Errors
/// Why the shader is to be left as it is.
pub fn scan(code: &ShaderCode, mode: Mode) -> Result<Plan, Declined> {
    let version = code.version();
    if version != Version::new(Stage::Vertex, 1, 1) {
        return Err(Declined::Version(version));
    }
    let bytes = code.tokens().len() * 4;
    if bytes > MAX_BYTES {
        return Err(Declined::TooLong { bytes });
    }
    let mut used = 0u16;
    let mut terms = Vec::new();
    let mut instructions = code.instructions().peekable();
    while let Some(instruction) = instructions.next() {
        check_known(&instruction, version)?;
        let registers = instruction
            .dst
            .iter()
            .map(|dst| dst.register)
            .chain(instruction.srcs().iter().map(|src| src.register));
        for register in registers {
            if register.kind == RegisterKind::Temp {
                used |= 1u16.checked_shl(register.index.into()).unwrap_or(0);
            }
        }
        if let Some(term) = term(&instruction, instructions.peek())
            && mode.covers(term.constant)
        {
            terms.push(term);
        }
    }
    let scratch = (0..TEMPORARIES).rev().find(|index| used >> index & 1 == 0);
    if terms.is_empty() {
        return Err(Declined::NoTerm(mode));
    }
    let scratch = scratch.ok_or(Declined::NoTemporary)?;
    let bytes = bytes + terms.len() * GROWTH * 4;
    if bytes > MAX_BYTES {
        return Err(Declined::TooLong { bytes });
    }
    Ok(Plan { terms, scratch })
}

/// Refuses what the scan cannot step over, knowing all its registers.
fn check_known(instruction: &Instruction, version: Version) -> Result<(), Declined> {
    use Opcode as O;
    let Instruction {
        byte_offset,
        number,
        ..
    } = *instruction;
    let name = instruction.op.name(version);
    if !matches!(
        instruction.op,
        O::Nop
            | O::Mov
            | O::Add
            | O::Sub
            | O::Mad
            | O::Mul
            | O::Rcp
            | O::Rsq
            | O::Dp3
            | O::Dp4
            | O::Min
            | O::Max
            | O::Slt
            | O::Sge
            | O::Exp
            | O::Log
            | O::Lit
            | O::Dst
            | O::Lrp
            | O::Frc
            | O::Expp
            | O::Logp
            | O::Dcl
            | O::Def
    ) {
        return Err(Declined::Instruction {
            name,
            byte_offset,
            number,
        });
    }
    // Model 1 states no lengths; stray parameters could be anything.
    let payload = match instruction.payload {
        Payload::Def(_) => 4,
        Payload::Dcl(_) => 1,
        _ => 0,
    };
    let parameters = usize::from(instruction.dst.is_some()) + instruction.srcs().len() + payload;
    if usize::from(instruction.words) != 1 + parameters {
        return Err(Declined::Parameters {
            name,
            byte_offset,
            number,
        });
    }
    Ok(())
}

/// The term that `instruction` is, followed by `next`.
fn term(instruction: &Instruction, next: Option<&Instruction>) -> Option<Term> {
    let form = match instruction.op {
        Opcode::Dp4 => Form::Dp4,
        Opcode::Dp3 => Form::Dp3AddW,
        _ => return None,
    };
    let ([position, plane], Some(dst)) = (instruction.srcs(), instruction.dst) else {
        return None;
    };
    let constant = plane.register.index;
    let is_term = plane.register.kind == RegisterKind::Const
        && matches!(constant, ATMOSPHERE | PLANE | PLANAR_DEPTH)
        && *plane == Src::new(plane.register)
        && matches!(
            position.register.kind,
            RegisterKind::Temp | RegisterKind::Input
        )
        && *position == Src::new(position.register)
        && (form == Form::Dp4 || adds_w(&dst, plane, next?));
    is_term.then_some(Term {
        form,
        constant,
        instruction: *instruction,
    })
}

/// Whether `next` adds the plane's `w` to each component that a `dp3` wrote to `dst`.
fn adds_w(dst: &Dst, plane: &Src, next: &Instruction) -> bool {
    let plain = Dst {
        mask: dst.mask,
        ..Dst::new(dst.register)
    };
    let ([sum, w], Some(to)) = (next.srcs(), next.dst) else {
        return false;
    };
    *dst == plain
        && next.op == Opcode::Add
        && to.register == dst.register
        && sum.register == dst.register
        && sum.modifier == SrcModifier::None
        && sum.relative.is_none()
        && w.register == plane.register
        && w.modifier == SrcModifier::None
        && w.relative.is_none()
        && dst.mask.components().all(|lane| {
            to.mask.contains(lane)
                && dst.mask.contains(sum.swizzle.lane(lane).into())
                && w.swizzle.lane(lane) == 3
        })
}
