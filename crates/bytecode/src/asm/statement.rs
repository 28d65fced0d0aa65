//! One instruction from text.

use super::scan::{Scan, unsigned};
use super::{AsmError, Origin, operand};
use crate::disasm::has_usage;
use crate::encode;
use crate::instruction::{Comparison, Declaration, Instruction, Payload, SamplerKind, Usage};
use crate::limits::MAX_SOURCES;
use crate::opcode::{Class, Controls, FORMS, Form, Opcode};
use crate::operand::{Dst, Src};
use crate::register::{Register, RegisterKind};
use crate::version::Version;

/// Assembles the instruction at `scan` and appends its tokens and where they
/// come from.
pub(super) fn assemble(
    scan: &mut Scan<'_>,
    version: Version,
    tokens: &mut Vec<u32>,
    origins: &mut Vec<Origin>,
) -> Result<(), AsmError> {
    let coissue = scan.take("+");
    scan.space();
    let predicate = predicate(scan, version)?;
    let start = scan.clone();
    let mnemonic = Mnemonic::read(scan, version)?;
    let form = mnemonic.form;
    let unused = Src::new(Register::new(RegisterKind::Temp, 0));
    let mut instruction = Instruction {
        op: form.op,
        controls: mnemonic.controls,
        coissue,
        predicate,
        dst: None,
        srcs: [unused; MAX_SOURCES],
        src_count: 0,
        payload: Payload::None,
        byte_offset: 0,
        number: 0,
        token: 0,
        words: 0,
    };
    let mut columns = [0; MAX_SOURCES + 1];
    scan.space();
    if !form.dst.is_empty() {
        columns[0] = scan.column();
        instruction.dst = Some(mnemonic.apply(operand::destination(scan, version)?));
    } else if mnemonic.modifiers != Modifiers::default() {
        return Err(start.error(format!("{} has no result to modify", form.name)));
    }
    for i in 0..form.srcs.len() {
        let is_first = i == 0 && form.dst.is_empty();
        if !is_first {
            if i >= usize::from(form.required_srcs) && scan.at_end() {
                break;
            }
            scan.expect_comma()?;
        }
        columns[i + 1] = scan.column();
        instruction.srcs[i] = operand::source(scan, version)?;
        instruction.src_count = i as u8 + 1;
    }
    instruction.payload = payload(scan, &mnemonic, instruction.dst, version, &start)?;
    let first = tokens.len();
    encode::instruction(&instruction, version, tokens);
    note_origins(&instruction, version, first, &columns, scan.line, origins);
    Ok(())
}

/// Notes the column of each operand's first token.
fn note_origins(
    instruction: &Instruction,
    version: Version,
    first: usize,
    columns: &[usize],
    line: usize,
    origins: &mut Vec<Origin>,
) {
    let size = |relative: bool| 1 + usize::from(relative && version.major >= 2);
    let mut token = first + 1 + usize::from(instruction.op == Opcode::Dcl);
    if let Some(dst) = &instruction.dst {
        origins.push(Origin {
            token,
            line,
            column: columns[0],
        });
        token += size(dst.relative.is_some());
    }
    token += usize::from(instruction.predicate.is_some());
    for (src, &column) in instruction.srcs().iter().zip(&columns[1..]) {
        origins.push(Origin {
            token,
            line,
            column,
        });
        token += size(src.relative.is_some());
    }
}

/// `(p0.x)` or `(!p0)` before an instruction.
fn predicate(scan: &mut Scan<'_>, version: Version) -> Result<Option<Src>, AsmError> {
    if !scan.take("(") {
        return Ok(None);
    }
    scan.space();
    let predicate = operand::source(scan, version)?;
    scan.space();
    if !scan.take(")") {
        return Err(scan.expected(")"));
    }
    scan.space();
    Ok(Some(predicate))
}

/// `_x2`, `_sat` and the like.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Modifiers {
    saturate: bool,
    partial_precision: bool,
    centroid: bool,
    shift: i8,
}

/// What `dcl` carries in its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declared {
    Nothing,
    Sampler(SamplerKind),
    Usage(Usage, u8),
}

/// Letters that a mnemonic can have; the longest, with a usage and every
/// modifier, has fewer.
const MAX_MNEMONIC: usize = 64;

struct Mnemonic {
    form: &'static Form,
    controls: u8,
    modifiers: Modifiers,
    declared: Declared,
}

impl Mnemonic {
    fn read(scan: &mut Scan<'_>, version: Version) -> Result<Self, AsmError> {
        let start = scan.clone();
        let word = scan.word();
        if word.is_empty() || word.len() > MAX_MNEMONIC {
            return Err(start.expected("an instruction"));
        }
        let mut parts = word.split('_');
        let base = parts.next().unwrap_or("");
        let mut modifiers = Modifiers::default();
        let mut comparison = None;
        let mut declared = Declared::Nothing;
        let is_dcl = base.eq_ignore_ascii_case("dcl");
        for part in parts {
            let lower = part.to_ascii_lowercase();
            let twice = match lower.as_str() {
                "sat" => std::mem::replace(&mut modifiers.saturate, true),
                "pp" => std::mem::replace(&mut modifiers.partial_precision, true),
                "centroid" => std::mem::replace(&mut modifiers.centroid, true),
                text => {
                    if let Some(shift) = shift(text) {
                        std::mem::replace(&mut modifiers.shift, shift) != 0
                    } else if let (true, Some(what)) = (is_dcl, declaration(text)) {
                        std::mem::replace(&mut declared, what) != Declared::Nothing
                    } else if let Some(found) = comparison_named(text) {
                        comparison.replace(found).is_some()
                    } else {
                        return Err(start.error(format!("unknown modifier _{part} in `{word}`")));
                    }
                }
            };
            if twice {
                return Err(start.error(format!(
                    "`{word}` says _{part} twice, or with another of its kind"
                )));
            }
        }
        let form =
            find(base, comparison.is_some(), version).map_err(|message| start.error(message))?;
        let controls = match (form.controls, comparison) {
            (Controls::Exactly(value), _) => value,
            (Controls::Comparison, Some(comparison)) => comparison as u8,
            (Controls::Comparison, None) => 0,
        };
        Ok(Mnemonic {
            form,
            controls,
            modifiers,
            declared,
        })
    }

    fn apply(&self, dst: Dst) -> Dst {
        let Modifiers {
            saturate,
            partial_precision,
            centroid,
            shift,
        } = self.modifiers;
        Dst {
            saturate,
            partial_precision,
            centroid,
            shift,
            ..dst
        }
    }
}

fn find(base: &str, compares: bool, version: Version) -> Result<&'static Form, String> {
    let named = |form: &&Form| form.name.eq_ignore_ascii_case(base);
    let fits = |form: &&Form| {
        form.versions.has(version) && (form.controls == Controls::Comparison) == compares
    };
    if let Some(form) = FORMS.iter().find(|form| named(form) && fits(form)) {
        return Ok(form);
    }
    let mut others = FORMS.iter().filter(named);
    Err(match others.next() {
        None => format!("unknown instruction `{base}`"),
        Some(form)
            if !FORMS
                .iter()
                .any(|form| named(&form) && form.versions.has(version)) =>
        {
            format!("{} is no instruction of {version}", form.name)
        }
        Some(form) if compares => format!("{} takes no comparison in {version}", form.name),
        Some(form) => format!(
            "expected a comparison: {0}_gt, _eq, _ge, _lt, _ne or _le",
            form.name
        ),
    })
}

fn shift(text: &str) -> Option<i8> {
    Some(match text {
        "x2" => 1,
        "x4" => 2,
        "x8" => 3,
        "d2" => -1,
        "d4" => -2,
        "d8" => -3,
        _ => return None,
    })
}

fn comparison_named(text: &str) -> Option<Comparison> {
    Comparison::ALL
        .into_iter()
        .find(|comparison| comparison.name() == text)
}

/// The part of a `dcl` mnemonic that says a texture type or a usage.
fn declaration(text: &str) -> Option<Declared> {
    let kinds = [SamplerKind::D2, SamplerKind::Cube, SamplerKind::Volume];
    if let Some(kind) = kinds.into_iter().find(|kind| kind.suffix()[1..] == *text) {
        return Some(Declared::Sampler(kind));
    }
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let usage = Usage::ALL.into_iter().find(|usage| usage.name() == name)?;
    let index = match &text[name.len()..] {
        "" => 0,
        digits => digits.parse().ok().filter(|index| *index < 16)?,
    };
    Some(Declared::Usage(usage, index))
}

fn payload(
    scan: &mut Scan<'_>,
    mnemonic: &Mnemonic,
    dst: Option<Dst>,
    version: Version,
    start: &Scan<'_>,
) -> Result<Payload, AsmError> {
    if mnemonic.form.class != Class::Declare {
        return Ok(Payload::None);
    }
    Ok(match (mnemonic.form.op, dst) {
        (Opcode::Def, _) => Payload::Def(four(scan, "a float", float)?),
        (Opcode::DefI, _) => Payload::DefI(four(scan, "a 32-bit integer", integer)?),
        (Opcode::DefB, _) => {
            before_values(scan)?;
            Payload::DefB(value(scan, "true or false", boolean)?)
        }
        (Opcode::Dcl, Some(dst)) => {
            Payload::Dcl(declared(mnemonic.declared, dst.register, version, start)?)
        }
        _ => Payload::None,
    })
}

fn declared(
    declared: Declared,
    register: Register,
    version: Version,
    start: &Scan<'_>,
) -> Result<Declaration, AsmError> {
    let is_sampler = register.kind == RegisterKind::Sampler;
    let plain = Declaration {
        usage: Usage::Position,
        usage_index: 0,
        sampler_kind: None,
    };
    match declared {
        Declared::Nothing if is_sampler => Ok(Declaration {
            sampler_kind: Some(SamplerKind::Unknown),
            ..plain
        }),
        Declared::Nothing if has_usage(register, version) => Err(start.error(format!(
            "expected a usage for {}, such as dcl_texcoord0",
            register.name()
        ))),
        Declared::Nothing => Ok(plain),
        Declared::Sampler(kind) if is_sampler => Ok(Declaration {
            sampler_kind: Some(kind),
            ..plain
        }),
        Declared::Usage(usage, usage_index) if !is_sampler => Ok(Declaration {
            usage,
            usage_index,
            sampler_kind: None,
        }),
        Declared::Sampler(_) => Err(start.error("expected a sampler for a texture type")),
        Declared::Usage(..) => {
            Err(start.error("expected dcl_2d, dcl_cube or dcl_volume for a sampler"))
        }
    }
}

fn four<T: Copy + Default>(
    scan: &mut Scan<'_>,
    what: &str,
    read: fn(&str) -> Option<T>,
) -> Result<[T; 4], AsmError> {
    let mut values = [T::default(); 4];
    for (i, slot) in values.iter_mut().enumerate() {
        match i {
            0 => before_values(scan)?,
            _ => scan.expect_comma()?,
        }
        *slot = value(scan, what, read)?;
    }
    Ok(values)
}

/// The comma after a defined register, or `=`, which apitrace prints.
fn before_values(scan: &mut Scan<'_>) -> Result<(), AsmError> {
    let mut ahead = scan.clone();
    ahead.space();
    if !ahead.take("=") {
        return scan.expect_comma();
    }
    ahead.space();
    *scan = ahead;
    Ok(())
}

fn value<T>(scan: &mut Scan<'_>, what: &str, read: fn(&str) -> Option<T>) -> Result<T, AsmError> {
    let start = scan.clone();
    read(scan.value()).ok_or_else(|| start.expected(what))
}

/// A decimal float, rounded to nearest, or its bits after `0x`.
fn float(text: &str) -> Option<u32> {
    if text.starts_with("0x") || text.starts_with("0X") {
        return u32::try_from(unsigned(text)?).ok();
    }
    let text = text.strip_suffix(['f', 'F']).unwrap_or(text);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    if !text.chars().all(is_number) {
        return None;
    }
    text.parse::<f32>()
        .ok()
        .filter(|value| value.is_finite())
        .map(f32::to_bits)
}

/// A decimal integer, or its bits after `0x`.
fn integer(text: &str) -> Option<i32> {
    if text.starts_with("0x") || text.starts_with("0X") {
        return u32::try_from(unsigned(text)?).ok().map(|bits| bits as i32);
    }
    text.parse().ok()
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
