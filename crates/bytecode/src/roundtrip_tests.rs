//! A property: whatever valid stream is generated from the table decodes to
//! what it was made from, and comes back bit for bit from its text.

use crate::decode::RELATIVE;
use crate::instruction::{Declaration, Instruction, Payload, SamplerKind, Usage};
use crate::limits::MAX_SOURCES;
use crate::opcode::{Class, Controls, FORMS, Form, Opcode};
use crate::operand::{Dst, Relative, Src, SrcModifier, Swizzle, WriteMask};
use crate::register::{Kinds, Register, RegisterKind};
use crate::version::{Version, Versions};
use crate::{Item, ShaderCode, assemble, disassemble, encode};
use proptest::prelude::*;

/// Numbers that decide everything; out of numbers, everything is 0.
struct Choices<'a>(std::slice::Iter<'a, u32>);

impl Choices<'_> {
    fn word(&mut self) -> u32 {
        self.0.next().copied().unwrap_or(0)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.word() as usize % bound.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

struct Generator<'a> {
    choices: Choices<'a>,
    version: Version,
    blocks: Vec<Opcode>,
    tokens: Vec<u32>,
    made: Vec<Instruction>,
    pairable: bool,
    samplers: [Option<SamplerKind>; 16],
}

fn blank(op: Opcode) -> Instruction {
    Instruction {
        op,
        controls: 0,
        coissue: false,
        predicate: None,
        dst: None,
        srcs: [Src::new(Register::new(RegisterKind::Temp, 0)); MAX_SOURCES],
        src_count: 0,
        payload: Payload::None,
        byte_offset: 0,
        number: 0,
        token: 0,
        words: 0,
    }
}

impl Generator<'_> {
    fn run(&mut self) {
        let forms: Vec<&Form> = FORMS
            .iter()
            .filter(|form| form.versions.has(self.version))
            .filter(|form| !needs_order(form.op))
            .collect();
        for _ in 0..self.choices.below(24) {
            if self.choices.one_in(6) {
                self.comment();
            }
            let form = self.choices.pick(&forms);
            match form.op {
                Opcode::Break | Opcode::Breakc | Opcode::Breakp if !self.in_loop() => {}
                Opcode::Else if self.blocks.last() != Some(&Opcode::If) => {}
                _ => self.instruction(form),
            }
        }
        while let Some(block) = self.blocks.pop() {
            let close = match block {
                Opcode::Loop => Opcode::EndLoop,
                Opcode::Rep => Opcode::EndRep,
                _ => Opcode::EndIf,
            };
            self.push(blank(close));
        }
    }

    fn in_loop(&self) -> bool {
        self.blocks
            .iter()
            .any(|block| matches!(block, Opcode::Loop | Opcode::Rep))
    }

    fn comment(&mut self) {
        let words = self.choices.below(12);
        self.tokens.push(0xFFFE | (words as u32) << 16);
        for _ in 0..words {
            let word = self.choices.word();
            self.tokens.push(word);
        }
    }

    fn push(&mut self, instruction: Instruction) {
        encode::instruction(&instruction, self.version, &mut self.tokens);
        self.made.push(instruction);
    }

    fn instruction(&mut self, form: &Form) {
        let mut instruction = blank(form.op);
        instruction.controls = match form.controls {
            Controls::Exactly(value) => value,
            Controls::Comparison => 1 + self.choices.below(6) as u8,
        };
        if !form.dst.is_empty() {
            let Some(dst) = self.destination(form) else {
                return;
            };
            instruction.dst = Some(dst);
        }
        let arithmetic = form.class == Class::Arithmetic;
        let has_predicate = RegisterKind::Predicate.count(self.version) > 0;
        if has_predicate
            && instruction.dst.is_some()
            && form.class != Class::Declare
            && self.choices.one_in(4)
        {
            instruction.predicate = Some(Src {
                swizzle: Swizzle::from_bits(self.choices.word() as u8),
                modifier: self.choices.pick(&[SrcModifier::None, SrcModifier::Not]),
                ..Src::new(Register::new(RegisterKind::Predicate, 0))
            });
        }
        let spare = form.srcs.len() - usize::from(form.required_srcs);
        let count = form.srcs.len() - self.choices.below(spare + 1);
        for (i, allowed) in form.srcs[..count].iter().enumerate() {
            let rows = if i == 1 { form.rows } else { 1 };
            let Some(src) = self.source(*allowed, rows, form.op) else {
                return;
            };
            instruction.srcs[i] = src;
        }
        instruction.src_count = count as u8;
        instruction.payload = match form.op {
            Opcode::Dcl => match self.declaration(&mut instruction) {
                Some(declaration) => Payload::Dcl(declaration),
                None => return,
            },
            Opcode::Def => Payload::Def([(); 4].map(|()| self.choices.word())),
            Opcode::DefI => Payload::DefI([(); 4].map(|()| self.choices.word() as i32)),
            Opcode::DefB => Payload::DefB(self.choices.one_in(2)),
            _ => Payload::None,
        };
        let can_pair =
            self.version.is_pixel() && self.version.major == 1 && arithmetic && self.pairable;
        instruction.coissue = can_pair && self.choices.one_in(2);
        self.pairable = arithmetic && !instruction.coissue;
        match form.op {
            Opcode::If | Opcode::Ifc => self.blocks.push(Opcode::If),
            Opcode::Loop | Opcode::Rep => self.blocks.push(form.op),
            Opcode::Else => *self.blocks.last_mut().unwrap() = Opcode::Else,
            _ => {}
        }
        self.push(instruction);
        // A length in a model 1 token means nothing and must survive.
        if self.version.major == 1 && self.choices.one_in(16) {
            let at = self.tokens.len() - self.size_of_last();
            self.tokens[at] |= (self.choices.word() & 0xF) << 24;
        }
    }

    fn size_of_last(&self) -> usize {
        let mut tokens = Vec::new();
        encode::instruction(self.made.last().unwrap(), self.version, &mut tokens);
        tokens.len()
    }

    fn register(&mut self, allowed: Kinds, rows: u8, write: bool) -> Option<Register> {
        let kinds: Vec<RegisterKind> = RegisterKind::ALL
            .into_iter()
            .filter(|kind| allowed.has(*kind) && kind.count(self.version) >= u16::from(rows))
            .filter(|kind| !write || kind.is_writable(self.version))
            .collect();
        if kinds.is_empty() {
            return None;
        }
        let kind = self.choices.pick(&kinds);
        let index = self
            .choices
            .below(usize::from(kind.count(self.version) - u16::from(rows)) + 1);
        Some(Register::new(kind, index as u16))
    }

    fn relative(&mut self) -> Option<Relative> {
        let address = RegisterKind::Address.count(self.version) > 0;
        let looping = self.blocks.contains(&Opcode::Loop);
        if looping && (!address || self.choices.one_in(2)) {
            return Some(Relative {
                register: Register::new(RegisterKind::Loop, 0),
                component: 0,
            });
        }
        let component = if self.version.major == 1 {
            0
        } else {
            self.choices.below(4) as u8
        };
        address.then(|| Relative {
            register: Register::new(RegisterKind::Address, 0),
            component,
        })
    }

    fn destination(&mut self, form: &Form) -> Option<Dst> {
        let declares = form.class == Class::Declare;
        let register = self.register(form.dst, 1, !declares && !form.dst_is_read)?;
        let fewest = if declares { 0 } else { 1 };
        let shifts = self.version.is_pixel() && self.version.major == 1;
        let relative = register.kind == RegisterKind::Output && !declares && self.choices.one_in(3);
        Some(Dst {
            register,
            relative: if relative { self.relative() } else { None },
            mask: WriteMask::from_bits((fewest + self.choices.below(16 - fewest)) as u8),
            saturate: self.choices.one_in(4),
            partial_precision: self.choices.one_in(4),
            centroid: self.choices.one_in(8),
            shift: if shifts {
                self.choices.below(7) as i8 - 3
            } else {
                0
            },
        })
    }

    fn source(&mut self, allowed: Kinds, rows: u8, op: Opcode) -> Option<Src> {
        use RegisterKind as K;
        use SrcModifier as M;
        let register = self.register(allowed, rows, false)?;
        let modifiers: &[M] = match register.kind {
            K::ConstBool | K::Predicate => &[M::None, M::Not],
            K::Sampler | K::Label | K::Loop | K::ConstInt => &[M::None],
            _ if Versions::PS1_4.has(self.version)
                && matches!(op, Opcode::Tex | Opcode::TexCoord) =>
            {
                &M::ALL[..13]
            }
            _ => &[
                M::None,
                M::Neg,
                M::Bias,
                M::BiasNeg,
                M::Sign,
                M::SignNeg,
                M::Comp,
                M::X2,
                M::X2Neg,
                M::Abs,
                M::AbsNeg,
            ],
        };
        let addressable = match register.kind {
            K::Const => self.version.is_vertex() || self.version.major == 3,
            K::Input => self.version.major == 3,
            _ => false,
        };
        let relative = if addressable && self.choices.one_in(3) {
            self.relative()
        } else {
            None
        };
        let bits = match self.choices.below(3) {
            0 => Swizzle::IDENTITY.bits(),
            _ => self.choices.word() as u8,
        };
        Some(Src {
            register,
            relative,
            swizzle: Swizzle::from_bits(bits),
            modifier: self.choices.pick(modifiers),
        })
    }

    fn declaration(&mut self, instruction: &mut Instruction) -> Option<Declaration> {
        let register = instruction.dst?.register;
        let plain = Declaration {
            usage: Usage::Position,
            usage_index: 0,
            sampler_kind: None,
        };
        if register.kind != RegisterKind::Sampler {
            let usage = self.choices.pick(&Usage::ALL);
            return Some(Declaration {
                usage,
                usage_index: self.choices.below(16) as u8,
                ..plain
            });
        }
        let kinds = [
            SamplerKind::Unknown,
            SamplerKind::D2,
            SamplerKind::Cube,
            SamplerKind::Volume,
        ];
        let picked = self.choices.pick(&kinds);
        let kind = self.samplers[usize::from(register.index)].get_or_insert(picked);
        Some(Declaration {
            sampler_kind: Some(*kind),
            ..plain
        })
    }
}

/// Subroutines, phases and texture matrices have cases of their own.
fn needs_order(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::Call
            | O::Callnz
            | O::Ret
            | O::Label
            | O::Phase
            | O::EndLoop
            | O::EndRep
            | O::EndIf
            | O::TexM3x2Tex
            | O::TexM3x2Depth
            | O::TexM3x3
            | O::TexM3x3Tex
            | O::TexM3x3Spec
            | O::TexM3x3VSpec
    )
}

/// The parts of an instruction that do not depend on its place.
fn content(instruction: &Instruction) -> Instruction {
    Instruction {
        byte_offset: 0,
        number: 0,
        token: 0,
        words: 0,
        ..*instruction
    }
}

fn check(words: &[u32]) {
    let mut choices = Choices(words.iter());
    let versions: Vec<Version> = Version::all().collect();
    let version = choices.pick(&versions);
    let mut generator = Generator {
        choices,
        version,
        blocks: Vec::new(),
        tokens: vec![version.token()],
        made: Vec::new(),
        pairable: false,
        samplers: [None; 16],
    };
    generator.run();
    let Generator {
        mut tokens,
        made,
        mut choices,
        ..
    } = generator;
    tokens.push(0xFFFF);
    let code =
        ShaderCode::parse(&tokens).unwrap_or_else(|error| panic!("{version} {error}: {tokens:x?}"));
    assert_eq!(code.tokens(), tokens);
    let read: Vec<Instruction> = code
        .instructions()
        .map(|instruction| content(&instruction))
        .collect();
    assert_eq!(read, made);
    round_trip(&code);

    // An unusual swizzle of an address token is lost in the decoded form only.
    if let Some(at) = address_token(&code) {
        tokens[at] = tokens[at] & !(0xFC << 16) | (choices.word() & 0xFC) << 16;
        round_trip(&ShaderCode::parse(&tokens).unwrap());
    }
}

/// The first address token of a stream, if it has one.
fn address_token(code: &ShaderCode) -> Option<usize> {
    let tokens = code.tokens();
    let plain = |instruction: &Instruction| {
        instruction.payload == Payload::None
            && instruction.predicate.is_none()
            && code.version().major > 1
    };
    let first = code.instructions().filter(plain).find_map(|instruction| {
        let start = instruction.byte_offset as usize / 4 + 1;
        let end = start + usize::from(instruction.words) - 1;
        (start..end).find(|i| tokens[*i] & RELATIVE != 0)
    })?;
    Some(first + 1)
}

fn round_trip(code: &ShaderCode) {
    let text = disassemble(code);
    let back = assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back.tokens(), code.tokens(), "{text}");
    assert!(
        back.items()
            .all(|item| !matches!(item, Item::Comment(words) if words.len() > 12))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_streams_come_back(words in proptest::collection::vec(any::<u32>(), 0..600)) {
        check(&words);
    }
}
