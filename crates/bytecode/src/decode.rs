//! Decoding of one instruction from its tokens.

use crate::error::{Error, ErrorKind, Operand};
use crate::instruction::{Declaration, Instruction, Payload, SamplerKind, Usage};
use crate::limits::{MAX_PARAMETERS, MAX_SOURCES};
use crate::opcode::{Controls, Form, Opcode, forms_of};
use crate::operand::{Dst, Relative, Src, SrcModifier, Swizzle, WriteMask};
use crate::register::{Register, RegisterKind};
use crate::version::Version;

pub(crate) const OPCODE_MASK: u32 = 0xFFFF;
pub(crate) const CONTROLS_SHIFT: u32 = 16;
pub(crate) const LENGTH_SHIFT: u32 = 24;
pub(crate) const PREDICATED: u32 = 1 << 28;
pub(crate) const COISSUE: u32 = 1 << 30;
pub(crate) const PARAMETER: u32 = 1 << 31;
pub(crate) const RELATIVE: u32 = 1 << 13;
pub(crate) const SATURATE: u32 = 1 << 20;
pub(crate) const PARTIAL_PRECISION: u32 = 1 << 21;
pub(crate) const CENTROID: u32 = 1 << 22;

/// Bits 29 and 31 of an instruction token.
const RESERVED_INSTRUCTION: u32 = 1 << 29 | 1 << 31;
/// Bits 14 and 15 of a parameter token.
const RESERVED_PARAMETER: u32 = 0b11 << 14;
/// Bit 23 of a destination token.
const RESERVED_DESTINATION: u32 = 1 << 23;

/// A source that stands in unused places of [`Instruction::srcs`].
const UNUSED: Src = Src::new(Register::new(RegisterKind::Temp, 0));

/// Decodes the instruction at `tokens[at]`, the `number`th of its stream, and
/// says which row of the table it is.
pub(crate) fn instruction(
    tokens: &[u32],
    at: usize,
    number: u32,
    version: Version,
) -> Result<(Instruction, &'static Form), Error> {
    let Some(&token) = tokens.get(at) else {
        return Err(Error::new(
            ErrorKind::Truncated("an instruction or the end token 0x0000FFFF"),
            at * 4,
        ));
    };
    let form = find_form(token, version)
        .map_err(|(kind, name)| Error::new(kind, at * 4).in_instruction(number, name))?;
    Decoder {
        tokens,
        at,
        cursor: at + 1,
        version,
    }
    .decode(token, number, form)
    .map(|instruction| (instruction, form))
    .map_err(|error| error.in_instruction(number, form.name))
}

fn find_form(token: u32, version: Version) -> Result<&'static Form, (ErrorKind, &'static str)> {
    if token & RESERVED_INSTRUCTION != 0 {
        return Err((ErrorKind::ReservedBits("instruction", token), ""));
    }
    let code = token & OPCODE_MASK;
    let controls = (token >> CONTROLS_SHIFT) as u8;
    let forms = forms_of(code);
    let mut available = None;
    for form in forms {
        if form.versions.has(version) {
            if form.accepts_controls(controls) {
                return Ok(form);
            }
            available = Some(form);
        }
    }
    Err(match (available, forms.first()) {
        (Some(form), _) => {
            let expected = match (form.controls, form.op) {
                (Controls::Comparison, _) => "a comparison, 1 to 6",
                (_, Opcode::Tex) if version.major > 1 => "0, 1 (project) or 2 (bias)",
                _ => "0",
            };
            (ErrorKind::Controls(controls, expected), form.name)
        }
        (None, Some(form)) => (
            ErrorKind::OpcodeVersion {
                name: form.name,
                version,
            },
            form.name,
        ),
        (None, None) => (ErrorKind::UnknownOpcode(code), ""),
    })
}

struct Decoder<'a> {
    tokens: &'a [u32],
    at: usize,
    cursor: usize,
    version: Version,
}

impl Decoder<'_> {
    fn decode(mut self, token: u32, number: u32, form: &Form) -> Result<Instruction, Error> {
        let mut instruction = Instruction {
            op: form.op,
            controls: (token >> CONTROLS_SHIFT) as u8,
            coissue: token & COISSUE != 0,
            predicate: None,
            dst: None,
            srcs: [UNUSED; MAX_SOURCES],
            src_count: 0,
            payload: Payload::None,
            byte_offset: (self.at * 4) as u32,
            number,
            token,
            words: 0,
        };
        let stated = (token >> LENGTH_SHIFT & 0xF) as usize;
        // Model 1 states no length, and some writers of later models leave it out: bit 31 tells
        // parameters from the next instruction there.
        let has_length = self.version.major >= 2 && (stated > 0 || !self.at_parameter());
        if has_length && self.tokens.len() - self.cursor < stated {
            return Err(self.error(
                ErrorKind::Truncated("the parameter tokens of an instruction"),
                self.tokens.len(),
            ));
        }
        if form.op == Opcode::Dcl {
            instruction.payload = Payload::Dcl(self.declaration_token()?);
        }
        if !form.dst.is_empty() {
            instruction.dst = Some(self.destination()?);
        }
        match form.op {
            Opcode::Dcl => self.finish_declaration(&mut instruction)?,
            Opcode::Def => instruction.payload = Payload::Def(self.words()?),
            Opcode::DefI => {
                instruction.payload = Payload::DefI(self.words()?.map(|word| word as i32))
            }
            Opcode::DefB => {
                let [word] = self.words()?;
                instruction.payload = Payload::DefB(word != 0);
            }
            _ => {}
        }
        if token & PREDICATED != 0 {
            instruction.predicate = Some(self.predicate(form)?);
        }
        for (i, _) in form.srcs.iter().enumerate() {
            let left_out = match has_length {
                true => self.cursor - self.at > stated,
                false => !self.at_parameter(),
            };
            if i >= usize::from(form.required_srcs) && left_out {
                break;
            }
            instruction.srcs[i] =
                self.source(Operand::Source(i as u8), Operand::SourceAddress(i as u8))?;
            instruction.src_count = i as u8 + 1;
        }
        let actual = self.cursor - self.at - 1;
        // Parameters after the last that the instruction has are passed over.
        let ahead = self.parameters_ahead();
        let all = match has_length {
            true => stated,
            false => actual + ahead,
        };
        if all < actual || all > actual + ahead || all > MAX_PARAMETERS {
            return Err(self.error(ErrorKind::Length { stated, actual }, self.at));
        }
        instruction.words = all as u8 + 1;
        Ok(instruction)
    }

    /// Whether the next token is a parameter, not an instruction or the end.
    fn at_parameter(&self) -> bool {
        self.parameters_ahead() > 0
    }

    /// Parameter tokens from the cursor on, as far as it matters.
    fn parameters_ahead(&self) -> usize {
        let rest = self.tokens.get(self.cursor..).unwrap_or_default();
        rest.iter()
            .take(MAX_PARAMETERS + 1)
            .take_while(|token| **token & PARAMETER != 0)
            .count()
    }

    #[cold]
    fn error(&self, kind: ErrorKind, at: usize) -> Error {
        Error::new(kind, at * 4)
    }

    fn raw(&mut self) -> Result<u32, Error> {
        match self.tokens.get(self.cursor) {
            Some(&token) => {
                self.cursor += 1;
                Ok(token)
            }
            None => Err(self.error(ErrorKind::Truncated("a parameter token"), self.cursor)),
        }
    }

    fn words<const N: usize>(&mut self) -> Result<[u32; N], Error> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.raw()?;
        }
        Ok(words)
    }

    fn parameter(&mut self, operand: Operand) -> Result<u32, Error> {
        let at = self.cursor;
        let token = self.raw().map_err(|error| error.at_operand(operand))?;
        if token & PARAMETER == 0 {
            return Err(self
                .error(ErrorKind::NotAParameter(token), at)
                .at_operand(operand));
        }
        if token & RESERVED_PARAMETER != 0 {
            return Err(self
                .error(ErrorKind::ReservedBits("parameter", token), at)
                .at_operand(operand));
        }
        Ok(token)
    }

    fn register(&self, token: u32, operand: Operand) -> Result<Register, Error> {
        let raw = token >> 28 & 7 | token >> 8 & 0x18;
        match RegisterKind::from_raw(raw, self.version) {
            Some((kind, base)) => Ok(Register::new(kind, base + (token & 0x7FF) as u16)),
            None => Err(self
                .error(ErrorKind::RegisterType(raw), self.cursor - 1)
                .at_operand(operand)),
        }
    }

    fn destination(&mut self) -> Result<Dst, Error> {
        let operand = Operand::Destination;
        let token = self.parameter(operand)?;
        if token & RESERVED_DESTINATION != 0 {
            return Err(self
                .error(
                    ErrorKind::ReservedBits("destination", token),
                    self.cursor - 1,
                )
                .at_operand(operand));
        }
        Ok(Dst {
            register: self.register(token, operand)?,
            mask: WriteMask::from_bits((token >> 16) as u8),
            saturate: token & SATURATE != 0,
            partial_precision: token & PARTIAL_PRECISION != 0,
            centroid: token & CENTROID != 0,
            shift: ((token >> 20) as u8 as i8) >> 4,
            relative: self.relative(token, Operand::DestinationAddress)?,
        })
    }

    fn source(&mut self, operand: Operand, address: Operand) -> Result<Src, Error> {
        let token = self.parameter(operand)?;
        let raw = token >> 24 & 0xF;
        let Some(modifier) = SrcModifier::from_raw(raw) else {
            return Err(self
                .error(ErrorKind::Modifier(raw, "0 to 13"), self.cursor - 1)
                .at_operand(operand));
        };
        Ok(Src {
            register: self.register(token, operand)?,
            swizzle: Swizzle::from_bits((token >> 16) as u8),
            modifier,
            relative: self.relative(token, address)?,
        })
    }

    /// The address register of a parameter `token` with its relative bit set:
    /// its own token from model 2 on, `a0.x` in model 1.
    fn relative(&mut self, token: u32, operand: Operand) -> Result<Option<Relative>, Error> {
        if token & RELATIVE == 0 {
            return Ok(None);
        }
        if self.version.major < 2 {
            let register = Register::new(RegisterKind::Address, 0);
            return Ok(Some(Relative {
                register,
                component: 0,
            }));
        }
        let token = self.parameter(operand)?;
        let register = self.register(token, operand)?;
        let component = match register.kind {
            RegisterKind::Loop => 0,
            _ => Swizzle::from_bits((token >> 16) as u8).lane(0),
        };
        let plain = token >> 24 & 0xF == 0 && token & RELATIVE == 0;
        if !plain || !matches!(register.kind, RegisterKind::Address | RegisterKind::Loop) {
            let found = format!("{} (token {token:#010x})", register.name());
            return Err(self
                .error(ErrorKind::AddressRegister(found), self.cursor - 1)
                .at_operand(operand));
        }
        Ok(Some(Relative {
            register,
            component,
        }))
    }

    fn predicate(&mut self, form: &Form) -> Result<Src, Error> {
        if form.dst.is_empty() || matches!(form.class, crate::opcode::Class::Declare) {
            let why = "expected none, only instructions with a destination are predicated";
            return Err(self.error(ErrorKind::Predicate(why), self.at));
        }
        self.source(Operand::Predicate, Operand::Predicate)
    }

    fn declaration_token(&mut self) -> Result<Declaration, Error> {
        let at = self.cursor;
        let token = self.raw()?;
        if token & PARAMETER == 0 {
            return Err(self.error(ErrorKind::NotAParameter(token), at));
        }
        let field = |what, value| self.error(ErrorKind::Declaration { what, value }, at);
        let (usage, kind) = (token & 0x1F, token >> 27 & 0xF);
        Ok(Declaration {
            usage: Usage::from_raw(usage).ok_or_else(|| field("usage", usage))?,
            usage_index: (token >> 16 & 0xF) as u8,
            sampler_kind: Some(
                SamplerKind::from_raw(kind).ok_or_else(|| field("texture type", kind))?,
            ),
        })
    }

    /// Settles which halves of the declaration token count, now that the
    /// register is known.
    fn finish_declaration(&self, instruction: &mut Instruction) -> Result<(), Error> {
        let at = self.at + 1;
        let token = self.tokens[at];
        let is_sampler = instruction
            .dst
            .is_some_and(|dst| dst.register.kind == RegisterKind::Sampler);
        let meant = match is_sampler {
            true => PARAMETER | 0xF << 27,
            false => PARAMETER | 0xF << 16 | 0x1F,
        };
        if token & !meant != 0 {
            return Err(self.error(ErrorKind::ReservedBits("declaration", token), at));
        }
        if let Payload::Dcl(declaration) = &mut instruction.payload
            && !is_sampler
        {
            declaration.sampler_kind = None;
        }
        Ok(())
    }
}
