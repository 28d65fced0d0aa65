//! One instruction as a line of text.

use crate::instruction::{Declaration, Instruction, Payload, Usage};
use crate::operand::{Dst, Relative, Src};
use crate::register::{Register, RegisterKind};
use crate::version::Version;
use std::fmt;

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// An instruction of a version, to be printed without indentation.
pub(super) struct Line<'a>(pub(super) &'a Instruction, pub(super) Version);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(instruction, version) = *self;
        if instruction.coissue {
            f.write_str("+")?;
        }
        if let Some(predicate) = &instruction.predicate {
            write!(f, "({}) ", Source(predicate))?;
        }
        f.write_str(name(instruction, version))?;
        if let Some(comparison) = instruction.comparison() {
            write!(f, "_{}", comparison.name())?;
        }
        if let Payload::Dcl(declaration) = &instruction.payload {
            write_declaration(declaration, instruction.dst, version, f)?;
        }
        let mut separator = " ";
        if let Some(dst) = &instruction.dst {
            write_result_modifiers(dst, f)?;
            write!(f, "{separator}{}", Destination(dst))?;
            separator = ", ";
        }
        for src in instruction.srcs() {
            write!(f, "{separator}{}", Source(src))?;
            separator = ", ";
        }
        match instruction.payload {
            Payload::None | Payload::Dcl(_) => Ok(()),
            Payload::Def(words) => words
                .iter()
                .try_for_each(|word| write!(f, ", {}", Float(*word))),
            Payload::DefI(words) => words.iter().try_for_each(|word| write!(f, ", {word}")),
            Payload::DefB(value) => write!(f, ", {value}"),
        }
    }
}

/// The mnemonic, which for texture loads depends on the controls.
fn name(instruction: &Instruction, version: Version) -> &'static str {
    let forms = crate::opcode::forms_of(u32::from(instruction.op.code()));
    forms
        .iter()
        .find(|form| form.versions.has(version) && form.accepts_controls(instruction.controls))
        .map_or_else(|| instruction.op.name(version), |form| form.name)
}

/// Whether `dcl` of `register` in `version` must say a usage.
pub(crate) fn has_usage(register: Register, version: Version) -> bool {
    match register.kind {
        RegisterKind::Input => version.is_vertex() || version.major >= 3,
        RegisterKind::Output => true,
        _ => false,
    }
}

fn write_declaration(
    declaration: &Declaration,
    dst: Option<Dst>,
    version: Version,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if let Some(kind) = declaration.sampler_kind {
        return f.write_str(kind.suffix());
    }
    let Declaration {
        usage, usage_index, ..
    } = *declaration;
    let is_plain = usage == Usage::Position && usage_index == 0;
    if is_plain && !dst.is_some_and(|dst| has_usage(dst.register, version)) {
        return Ok(());
    }
    write!(f, "_{}", usage.name())?;
    match usage_index {
        0 => Ok(()),
        index => write!(f, "{index}"),
    }
}

fn write_result_modifiers(dst: &Dst, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match dst.shift {
        0 => {}
        shift @ 1.. => write!(f, "_x{}", 1u32 << (shift & 7))?,
        shift => write!(f, "_d{}", 1u32 << (-shift & 7))?,
    }
    for (set, suffix) in [
        (dst.saturate, "_sat"),
        (dst.partial_precision, "_pp"),
        (dst.centroid, "_centroid"),
    ] {
        if set {
            f.write_str(suffix)?;
        }
    }
    Ok(())
}

fn write_register(
    register: Register,
    relative: Option<Relative>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let Some(relative) = relative else {
        return write!(f, "{}", register.name());
    };
    write!(f, "{}[{}", register.kind.prefix(), relative.register.name())?;
    if relative.register.kind != RegisterKind::Loop {
        write!(f, ".{}", COMPONENTS[usize::from(relative.component & 3)])?;
    }
    match register.index {
        0 => f.write_str("]"),
        index => write!(f, " + {index}]"),
    }
}

struct Destination<'a>(&'a Dst);

impl fmt::Display for Destination<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_register(self.0.register, self.0.relative, f)?;
        if self.0.mask.is_all() || self.0.mask.is_empty() {
            return Ok(());
        }
        f.write_str(".")?;
        self.0
            .mask
            .components()
            .try_for_each(|i| write!(f, "{}", COMPONENTS[i]))
    }
}

struct Source<'a>(&'a Src);

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Src {
            register,
            relative,
            swizzle,
            modifier,
        } = *self.0;
        let (before, after) = modifier.affixes();
        f.write_str(before)?;
        write_register(register, relative, f)?;
        f.write_str(after)?;
        if swizzle.is_identity() {
            return Ok(());
        }
        f.write_str(".")?;
        let lanes = swizzle.lanes();
        let shown = if swizzle.scalar().is_some() { 1 } else { 4 };
        lanes[..shown]
            .iter()
            .try_for_each(|lane| write!(f, "{}", COMPONENTS[usize::from(*lane & 3)]))
    }
}

/// A float as the shortest decimal text with the same bits, or its bits.
pub(super) struct Float(pub(super) u32);

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = f32::from_bits(self.0);
        let magnitude = value.abs();
        if !value.is_finite() {
            write!(f, "{:#010x}", self.0)
        } else if magnitude == 0.0 || (1e-5..1e9).contains(&magnitude) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_short_and_exact() {
        let text = |value: f32| Float(value.to_bits()).to_string();
        assert_eq!(text(1.0), "1");
        assert_eq!(text(-0.0), "-0");
        assert_eq!(text(0.1), "0.1");
        assert_eq!(text(f32::MAX), "3.4028235e38");
        assert_eq!(text(f32::from_bits(1)), "1e-45");
        assert_eq!(text(f32::INFINITY), "0x7f800000");
        assert_eq!(Float(0xFFC0_1234).to_string(), "0xffc01234");
    }
}
