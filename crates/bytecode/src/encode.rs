//! Instructions back to tokens.

use crate::decode::{
    CENTROID, COISSUE, CONTROLS_SHIFT, LENGTH_SHIFT, PARAMETER, PARTIAL_PRECISION, PREDICATED,
    RELATIVE, SATURATE,
};
use crate::instruction::{Instruction, Payload};
use crate::operand::{Dst, Relative, Src, Swizzle};
use crate::register::{Register, RegisterKind};
use crate::version::Version;

/// Appends the tokens of `instruction` as compilers write them: no reserved
/// bits, a length field from model 2 on, `a0` replicated and `aL` unswizzled in
/// address tokens.
///
/// Place and size ([`Instruction::byte_offset`], `number`, `token`, `words`)
/// are not looked at.
pub(crate) fn instruction(instruction: &Instruction, version: Version, out: &mut Vec<u32>) {
    let start = out.len();
    let mut token =
        u32::from(instruction.op.code()) | u32::from(instruction.controls) << CONTROLS_SHIFT;
    if instruction.coissue {
        token |= COISSUE;
    }
    if instruction.predicate.is_some() {
        token |= PREDICATED;
    }
    out.push(token);
    if let Payload::Dcl(declaration) = instruction.payload {
        out.push(match declaration.sampler_kind {
            Some(kind) => PARAMETER | kind.raw() << 27,
            None => PARAMETER | declaration.usage as u32 | u32::from(declaration.usage_index) << 16,
        });
    }
    if let Some(dst) = &instruction.dst {
        out.push(destination(dst));
        address(dst.relative, version, out);
    }
    match instruction.payload {
        Payload::None | Payload::Dcl(_) => {}
        Payload::Def(words) => out.extend(words),
        Payload::DefI(words) => out.extend(words.map(|word| word as u32)),
        Payload::DefB(value) => out.push(u32::from(value)),
    }
    for src in instruction.predicate.iter().chain(instruction.srcs()) {
        out.push(source(src));
        address(src.relative, version, out);
    }
    if version.major >= 2 {
        let length = out.len() - start - 1;
        out[start] |= (length as u32) << LENGTH_SHIFT;
    }
}

fn register(register: Register) -> u32 {
    let raw = register.kind.raw(register.index);
    PARAMETER | (raw & 7) << 28 | (raw & 0x18) << 8 | u32::from(register.index) & 0x7FF
}

pub(crate) fn destination(dst: &Dst) -> u32 {
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    register(dst.register)
        | u32::from(dst.mask.bits()) << 16
        | flag(dst.saturate, SATURATE)
        | flag(dst.partial_precision, PARTIAL_PRECISION)
        | flag(dst.centroid, CENTROID)
        | (dst.shift as u32 & 0xF) << 24
        | flag(dst.relative.is_some(), RELATIVE)
}

pub(crate) fn source(src: &Src) -> u32 {
    let relative = if src.relative.is_some() { RELATIVE } else { 0 };
    register(src.register)
        | u32::from(src.swizzle.bits()) << 16
        | (src.modifier as u32) << 24
        | relative
}

fn address(relative: Option<Relative>, version: Version, out: &mut Vec<u32>) {
    let Some(relative) = relative.filter(|_| version.major >= 2) else {
        return;
    };
    let swizzle = match relative.register.kind {
        RegisterKind::Loop => Swizzle::IDENTITY,
        _ => Swizzle::replicate(relative.component),
    };
    out.push(register(relative.register) | u32::from(swizzle.bits()) << 16);
}
