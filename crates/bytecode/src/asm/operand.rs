//! Operands from text.

use super::AsmError;
use super::scan::Scan;
use crate::operand::{Dst, Relative, Src, SrcModifier, Swizzle, WriteMask};
use crate::register::{self, Register, RegisterKind};
use crate::version::Version;

/// A destination with its mask, without result modifiers.
pub(super) fn destination(scan: &mut Scan<'_>, version: Version) -> Result<Dst, AsmError> {
    let (register, relative) = indexed(scan, version, "a destination register")?;
    let mask = match scan.take(".") {
        true => write_mask(scan)?,
        false => WriteMask::ALL,
    };
    Ok(Dst {
        relative,
        mask,
        ..Dst::new(register)
    })
}

/// A source with modifier, relative address and swizzle.
pub(super) fn source(scan: &mut Scan<'_>, version: Version) -> Result<Src, AsmError> {
    let start = scan.clone();
    let prefix = prefix(scan);
    scan.space();
    let (register, relative) = indexed(scan, version, "a source register")?;
    let mut suffix = suffix(scan)?;
    let mut swizzle = Swizzle::IDENTITY;
    if scan.take(".") {
        swizzle = lanes(scan)?;
        if suffix.is_empty() {
            suffix = self::suffix(scan)?;
        }
    }
    let modifier = SrcModifier::ALL
        .into_iter()
        .find(|modifier| modifier.affixes() == (prefix, suffix))
        .ok_or_else(|| start.error(format!("{prefix} and {suffix} do not go together")))?;
    Ok(Src {
        register,
        relative,
        swizzle,
        modifier,
    })
}

fn prefix(scan: &mut Scan<'_>) -> &'static str {
    if scan.take("-") {
        return "-";
    }
    if scan.take("!") {
        return "!";
    }
    let mut ahead = scan.clone();
    if ahead.take("1") {
        ahead.space();
        if ahead.take("-") {
            *scan = ahead;
            return "1-";
        }
    }
    ""
}

/// The modifier after a register, as [`SrcModifier::affixes`] spells it.
fn suffix(scan: &mut Scan<'_>) -> Result<&'static str, AsmError> {
    let start = scan.clone();
    if !scan.take("_") {
        return Ok("");
    }
    const SPELLINGS: [(&str, &str); 8] = [
        ("bias", "_bias"),
        ("bx2", "_bx2"),
        ("x2", "_x2"),
        ("dz", "_dz"),
        ("db", "_dz"),
        ("dw", "_dw"),
        ("da", "_dw"),
        ("abs", "_abs"),
    ];
    let word = scan.part();
    SPELLINGS
        .iter()
        .find(|(spelling, _)| spelling.eq_ignore_ascii_case(word))
        .map(|(_, suffix)| *suffix)
        .ok_or_else(|| start.expected("_bias, _bx2, _x2, _dz, _dw or _abs"))
}

/// A register with its index in brackets, if it has one.
fn indexed(
    scan: &mut Scan<'_>,
    version: Version,
    what: &str,
) -> Result<(Register, Option<Relative>), AsmError> {
    let start = scan.clone();
    let name = scan.part();
    if !scan.take("[") {
        let register = register::by_name(name, version).ok_or_else(|| start.expected(what))?;
        return Ok((bounded(register, &start, version)?, None));
    }
    let named = match register::by_name(name, version) {
        Some(register) => Some(register),
        // A bare prefix, as in c[4], stands for its first register.
        None => register::by_name(&format!("{name}0"), version),
    };
    let Some(base) = named else {
        return Err(start.expected(what));
    };
    let (offset, relative) = bracket(scan, version)?;
    let index = u64::from(base.index) + offset;
    let index = u16::try_from(index)
        .map_err(|_| start.error(format!("{}{index} does not exist", base.kind.prefix())))?;
    let register = bounded(Register::new(base.kind, index), &start, version)?;
    Ok((register, relative))
}

fn bounded(register: Register, start: &Scan<'_>, version: Version) -> Result<Register, AsmError> {
    let count = register.kind.count(version);
    if register.index < count {
        return Ok(register);
    }
    let Register { kind, .. } = register;
    let name = register.name();
    Err(start.error(format!(
        "{name} does not exist: {version} has {count} registers {kind}"
    )))
}

/// The sum between brackets: numbers and at most one address register.
fn bracket(scan: &mut Scan<'_>, version: Version) -> Result<(u64, Option<Relative>), AsmError> {
    let (mut offset, mut relative) = (0u64, None);
    loop {
        scan.space();
        let start = scan.clone();
        if let Some(number) = scan.number() {
            offset = offset.saturating_add(number).min(u64::from(u16::MAX) * 2);
        } else {
            let name = scan.part();
            let register = register::by_name(name, version)
                .filter(|register| {
                    matches!(register.kind, RegisterKind::Address | RegisterKind::Loop)
                })
                .ok_or_else(|| start.expected("a number or an address register (a0, aL)"))?;
            if relative.is_some() {
                return Err(start.error("expected one address register at most"));
            }
            let register = bounded(register, &start, version)?;
            let component = address_component(scan, register, version)?;
            relative = Some(Relative {
                register,
                component,
            });
        }
        scan.space();
        if scan.take("]") {
            return Ok((offset, relative));
        }
        if !scan.take("+") {
            return Err(scan.expected("+ or ]"));
        }
    }
}

fn address_component(
    scan: &mut Scan<'_>,
    register: Register,
    version: Version,
) -> Result<u8, AsmError> {
    let start = scan.clone();
    if !scan.take(".") {
        return Ok(0);
    }
    let swizzle = lanes(scan)?;
    match (swizzle.scalar(), register.kind) {
        (Some(0), _) => Ok(0),
        (_, RegisterKind::Loop) => Err(start.error("aL has no components")),
        (Some(_), _) if version.major < 2 => {
            Err(start.error("expected .x, model 1 has no other component"))
        }
        (Some(component), _) => Ok(component),
        (None, _) => Err(start.error("expected one component")),
    }
}

fn component(letter: char) -> Option<u8> {
    match letter.to_ascii_lowercase() {
        'x' | 'r' => Some(0),
        'y' | 'g' => Some(1),
        'z' | 'b' => Some(2),
        'w' | 'a' => Some(3),
        _ => None,
    }
}

/// Up to four components; at most those, so that nothing long is copied.
fn components(scan: &mut Scan<'_>) -> Result<([u8; 4], usize), AsmError> {
    let start = scan.clone();
    let word = scan.part();
    let mut found = [0; 4];
    if word.is_empty() || word.len() > 4 {
        return Err(start.expected("one to four of x, y, z, w"));
    }
    for (slot, letter) in found.iter_mut().zip(word.chars()) {
        *slot = component(letter).ok_or_else(|| start.expected("x, y, z, w or r, g, b, a"))?;
    }
    Ok((found, word.len()))
}

fn lanes(scan: &mut Scan<'_>) -> Result<Swizzle, AsmError> {
    let (mut found, count) = components(scan)?;
    let last = found[count - 1];
    found[count..].fill(last);
    Ok(Swizzle::new(found))
}

fn write_mask(scan: &mut Scan<'_>) -> Result<WriteMask, AsmError> {
    let start = scan.clone();
    let (found, count) = components(scan)?;
    let found = &found[..count];
    if !found.is_sorted_by(|a, b| a < b) {
        return Err(start.expected("a write mask with its components in the order xyzw"));
    }
    Ok(WriteMask::from_bits(
        found.iter().fold(0, |mask, i| mask | 1 << i),
    ))
}
