//! The rules a stream must keep beyond being decodable: operands here, order
//! and nesting in [`flow`].

mod flow;

use crate::error::{Error, ErrorKind, Operand};
use crate::instruction::{Instruction, Payload, SamplerKind};
use crate::opcode::{Class, Form, Opcode};
use crate::operand::{Dst, Relative, Src, SrcModifier};
use crate::register::{Kinds, Register, RegisterKind};
use crate::version::{Version, Versions};
use flow::Flow;

/// Files that vertex shaders before vs_3_0 may address relatively.
const RELATIVE_VS: Kinds = RegisterKind::Const.set();
/// Files that vs_3_0 may address relatively as a source.
const RELATIVE_VS3: Kinds = RELATIVE_VS.or(RegisterKind::Input.set());
/// Files that ps_3_0 may address with `aL`.
const RELATIVE_PS3: Kinds = RegisterKind::Input.set().or(RegisterKind::Const.set());

/// Checks a stream's instructions in order.
pub(crate) struct Validator {
    version: Version,
    /// Size of each register file, by its number.
    counts: &'static [u16; RegisterKind::ALL.len()],
    relative: Kinds,
    flow: Flow,
    samplers: [Option<SamplerKind>; 16],
    count: u32,
}

impl Validator {
    pub(crate) fn new(version: Version) -> Self {
        let relative = if Versions::VS3.has(version) {
            RELATIVE_VS3
        } else if version.is_vertex() {
            RELATIVE_VS
        } else if Versions::PS3.has(version) {
            RELATIVE_PS3
        } else {
            Kinds::NONE
        };
        Validator {
            version,
            counts: RegisterKind::counts(version),
            relative,
            flow: Flow::new(version),
            samplers: [None; 16],
            count: 0,
        }
    }

    /// Checks the next instruction, decoded by row `form` of the table.
    pub(crate) fn instruction(
        &mut self,
        instruction: &Instruction,
        form: &'static Form,
    ) -> Result<(), Error> {
        self.count += 1;
        self.operands(instruction, form)
            .map_err(|(operand, kind)| self.locate(instruction, form, kind, Some(operand)))?;
        self.declaration(instruction)
            .and_then(|()| self.flow.instruction(instruction, form))
            .map_err(|kind| self.locate(instruction, form, kind, None))
    }

    /// Checks what can only be known at the end token, `offset` bytes into the
    /// stream.
    pub(crate) fn finish(&self, offset: usize) -> Result<(), Error> {
        self.flow.finish().map_err(|kind| Error::new(kind, offset))
    }

    pub(crate) fn instruction_count(&self) -> u32 {
        self.count
    }

    #[cold]
    fn locate(
        &self,
        instruction: &Instruction,
        form: &Form,
        kind: ErrorKind,
        operand: Option<Operand>,
    ) -> Error {
        let has_address_tokens = self.version.major >= 2;
        let words = operand.map_or(0, |operand| {
            operand_offset(instruction, operand, has_address_tokens)
        });
        let error = Error::new(kind, instruction.byte_offset as usize + words * 4)
            .in_instruction(instruction.number, form.name);
        match operand {
            Some(operand) => error.at_operand(operand),
            None => error,
        }
    }

    fn operands(&self, instruction: &Instruction, form: &Form) -> Result<(), (Operand, ErrorKind)> {
        if let Some(dst) = &instruction.dst {
            self.destination(dst, form)?;
        }
        if let Some(predicate) = &instruction.predicate {
            self.predicate(predicate, form.op)
                .map_err(|kind| (Operand::Predicate, kind))?;
        }
        for (i, (src, allowed)) in instruction.srcs().iter().zip(form.srcs).enumerate() {
            let rows = if i == 1 { form.rows } else { 1 };
            self.source(src, *allowed, rows, form.op)
                .map_err(|kind| (Operand::Source(i as u8), kind))?;
            if let Some(relative) = src.relative {
                self.address(relative)
                    .map_err(|kind| (Operand::SourceAddress(i as u8), kind))?;
            }
        }
        Ok(())
    }

    fn destination(&self, dst: &Dst, form: &Form) -> Result<(), (Operand, ErrorKind)> {
        let declares = form.class == Class::Declare;
        let kind = dst.register.kind;
        let check = || {
            self.register(dst.register, form.dst, 1)?;
            if !declares && !form.dst_is_read && !kind.is_writable(self.version) {
                return Err(ErrorKind::NotWritable(
                    dst.register.name().to_string(),
                    self.version,
                ));
            }
            if dst.mask.is_empty() && !declares {
                return Err(ErrorKind::EmptyMask);
            }
            match dst.shift {
                0 => {}
                -3..=3 if self.version.is_pixel() && self.version.major == 1 => {}
                -3..=3 => return Err(ErrorKind::Shift(dst.shift, "none outside ps_1_x")),
                _ => return Err(ErrorKind::Shift(dst.shift, "-3 (_d8) to 3 (_x8)")),
            }
            match dst.relative {
                Some(_) if declares || kind != RegisterKind::Output => {
                    Err(ErrorKind::Relative(kind, self.version))
                }
                _ => Ok(()),
            }
        };
        check().map_err(|kind| (Operand::Destination, kind))?;
        match dst.relative {
            Some(relative) => self
                .address(relative)
                .map_err(|kind| (Operand::DestinationAddress, kind)),
            None => Ok(()),
        }
    }

    fn source(&self, src: &Src, allowed: Kinds, rows: u8, op: Opcode) -> Result<(), ErrorKind> {
        let rows = if src.relative.is_some() { 1 } else { rows };
        self.register(src.register, allowed, rows)?;
        if src.relative.is_some() && !self.relative.has(src.register.kind) {
            return Err(ErrorKind::Relative(src.register.kind, self.version));
        }
        self.modifier(src, op)
    }

    fn predicate(&self, predicate: &Src, op: Opcode) -> Result<(), ErrorKind> {
        self.register(predicate.register, RegisterKind::Predicate.set(), 1)?;
        if predicate.relative.is_some() {
            return Err(ErrorKind::Relative(RegisterKind::Predicate, self.version));
        }
        self.modifier(predicate, op)
    }

    /// Checks that the file is allowed here and that `rows` registers from
    /// `register` on exist.
    fn register(&self, register: Register, allowed: Kinds, rows: u8) -> Result<(), ErrorKind> {
        let Register { kind, index } = register;
        let count = self.counts[kind as usize];
        if count == 0 || !allowed.has(kind) {
            return Err(ErrorKind::kind(register, allowed.describe(self.version)));
        }
        let last = u32::from(index) + u32::from(rows) - 1;
        if last >= u32::from(count) {
            return Err(ErrorKind::RegisterIndex {
                kind,
                index: last,
                count,
                version: self.version,
            });
        }
        Ok(())
    }

    fn modifier(&self, src: &Src, op: Opcode) -> Result<(), ErrorKind> {
        use RegisterKind as K;
        use SrcModifier as M;
        let fault = |expected| Err(ErrorKind::Modifier(src.modifier as u32, expected));
        match (src.register.kind, src.modifier) {
            (_, M::None) | (K::ConstBool | K::Predicate, M::Not) => Ok(()),
            (K::ConstBool | K::Predicate, _) => fault("none or ! (13)"),
            (K::Sampler | K::Label | K::Loop | K::ConstInt, _) => fault("none"),
            (_, M::Not) => fault("a modifier of values, ! (13) is for b# and p0"),
            (_, M::Dz | M::Dw) => match op {
                Opcode::Tex | Opcode::TexCoord if Versions::PS1_4.has(self.version) => Ok(()),
                _ => fault("_dz (9) and _dw (10) only on texld and texcrd of ps_1_4"),
            },
            _ => Ok(()),
        }
    }

    fn address(&self, relative: Relative) -> Result<(), ErrorKind> {
        let files = RegisterKind::Address.set().or(RegisterKind::Loop.set());
        self.register(relative.register, files, 1)?;
        if relative.register.kind == RegisterKind::Loop {
            self.flow.loop_counter()?;
        }
        Ok(())
    }

    fn declaration(&mut self, instruction: &Instruction) -> Result<(), ErrorKind> {
        let (Payload::Dcl(declaration), Some(dst)) = (&instruction.payload, &instruction.dst)
        else {
            return Ok(());
        };
        let Some(kind) = declaration.sampler_kind else {
            return Ok(());
        };
        let index = dst.register.index;
        let Some(known) = self.samplers.get_mut(usize::from(index)) else {
            return Ok(());
        };
        if known.is_some_and(|known| known != kind) {
            return Err(ErrorKind::SamplerRedeclared(index));
        }
        *known = Some(kind);
        Ok(())
    }
}

/// Tokens from the instruction token to the operand's.
fn operand_offset(instruction: &Instruction, wanted: Operand, has_address_tokens: bool) -> usize {
    let step =
        |relative: Option<Relative>| 1 + usize::from(relative.is_some() && has_address_tokens);
    let mut at = 1 + usize::from(instruction.op == Opcode::Dcl);
    if let Some(dst) = instruction.dst {
        match wanted {
            Operand::Destination => return at,
            Operand::DestinationAddress => return at + step(dst.relative) - 1,
            _ => at += step(dst.relative),
        }
    }
    if instruction.predicate.is_some() {
        match wanted {
            Operand::Predicate => return at,
            _ => at += 1,
        }
    }
    for (i, src) in instruction.srcs().iter().enumerate() {
        match wanted {
            Operand::Source(n) if usize::from(n) == i => return at,
            Operand::SourceAddress(n) if usize::from(n) == i => return at + step(src.relative) - 1,
            _ => at += step(src.relative),
        }
    }
    at
}
