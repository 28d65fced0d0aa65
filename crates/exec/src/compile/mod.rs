//! From a token stream to operations: one pass to see what there is
//! ([`survey`]), one to write the operations.

mod operand;
mod survey;
mod texture;

use crate::op::{Address, Counts, Dst, Flow, MAX_OPERANDS, Op, Place, Src, Target, Test, What};
use crate::options::Options;
use crate::program::Program;
use ninefold_bytecode::{Comparison, Instruction, Opcode, RegisterKind, ShaderCode, SrcModifier};
use survey::Survey;

impl Program {
    /// Compiles a shader. Whatever reads as [`ShaderCode`] compiles.
    pub fn compile(code: &ShaderCode, options: &Options) -> Program {
        let survey = Survey::of(code);
        let mut compiler = Compiler {
            survey: &survey,
            ops: Vec::with_capacity(code.instruction_count() + 1),
            blocks: Vec::new(),
            calls: Vec::new(),
            labels: Vec::new(),
            options,
        };
        for instruction in code.instructions() {
            compiler.instruction(&instruction);
        }
        let number = code.instruction_count() as u32;
        let byte_offset = (code.tokens().len() * 4 - 4) as u32;
        compiler.push(What::Flow(Flow::End), number, byte_offset);
        compiler.resolve_calls();
        let ops = compiler.ops;
        survey.program(ops, options)
    }
}

struct Compiler<'a> {
    survey: &'a Survey,
    options: &'a Options,
    ops: Vec<Op>,
    /// Operations that open blocks, to patch when those end.
    blocks: Vec<usize>,
    /// Calls and the labels they go to.
    calls: Vec<(usize, u16)>,
    /// Labels and where their subroutines begin.
    labels: Vec<(u16, u32)>,
}

const UNUSED: Src = Src::of(Place::Literal(u16::MAX));

impl Compiler<'_> {
    fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    fn push(&mut self, what: What, number: u32, byte_offset: u32) -> &mut Op {
        let at = self.ops.len();
        self.ops.push(Op {
            what,
            operands: what.operands(),
            dst: Dst::NONE,
            srcs: [UNUSED; MAX_OPERANDS],
            predicate: None,
            paired: false,
            checked: false,
            number,
            byte_offset,
        });
        &mut self.ops[at]
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let what = match instruction.op {
            Opcode::Nop | Opcode::Phase | Opcode::Dcl => return,
            Opcode::Def | Opcode::DefI | Opcode::DefB => return,
            Opcode::Label => {
                let label = instruction.srcs().first().map_or(0, |s| s.register.index);
                self.labels.push((label, self.here()));
                return;
            }
            _ => self.what(instruction),
        };
        if instruction.coissue
            && let Some(first) = self.ops.last_mut()
            && first.number + 1 == instruction.number
        {
            first.paired = true;
        }
        let mut srcs = [UNUSED; MAX_OPERANDS];
        for (place, src) in srcs.iter_mut().zip(instruction.srcs()) {
            *place = self.survey.source(src, 0);
        }
        match what {
            What::Matrix { rows, .. } => {
                for row in 0..u16::from(rows) {
                    srcs[1 + usize::from(row)] = self.survey.source(&instruction.srcs()[1], row);
                }
            }
            What::Kill { .. } => srcs[0] = Src::of(self.survey.tested(instruction)),
            What::Texture(texture) => self.survey.texture_sources(texture, instruction, &mut srcs),
            _ => {}
        }
        let mut dst = self.survey.destination(instruction, what);
        if let Target::Address { nan, .. } = &mut dst.target
            && self.options.strict_addresses
        {
            *nan = i32::MIN;
        }
        let relative = |src: &Src| matches!(src.place, Place::RelativeConstant { .. });
        let checked = self.options.strict_addresses && srcs.iter().any(relative);
        let predicate = instruction.predicate.as_ref().map(operand::predicate);
        let op = self.push(what, instruction.number, instruction.byte_offset);
        op.srcs = srcs;
        op.dst = dst;
        op.predicate = predicate;
        op.checked = checked;
    }

    fn what(&mut self, instruction: &Instruction) -> What {
        let version = self.survey.version;
        let parts = version.is_vertex() && version.major == 1;
        let matrix = |width, rows| What::Matrix { rows, width };
        match instruction.op {
            Opcode::Mov | Opcode::Mova => What::Mov,
            Opcode::TexCoord if !self.survey.has_texture_temps() => What::Mov,
            Opcode::Add => What::Add,
            Opcode::Sub => What::Sub,
            Opcode::Mul => What::Mul,
            Opcode::Mad => What::Mad,
            Opcode::Lrp => What::Lrp,
            Opcode::Min => What::Min,
            Opcode::Max => What::Max,
            Opcode::Slt => What::Slt,
            Opcode::Sge => What::Sge,
            Opcode::Abs => What::Abs,
            Opcode::Frc => What::Frc,
            Opcode::Sgn => What::Sgn,
            Opcode::Cmp => What::Cmp,
            Opcode::Cnd if self.takes_second(instruction) => What::Second,
            Opcode::Cnd => What::Cnd,
            Opcode::Crs => What::Crs,
            Opcode::Dst => What::DstVector,
            Opcode::Lit => What::Lit,
            Opcode::Expp if parts => What::ExppParts,
            Opcode::Logp if parts => What::LogpParts,
            Opcode::Exp | Opcode::Expp => What::Exp,
            Opcode::Log | Opcode::Logp => What::Log,
            Opcode::SinCos => What::SinCos,
            Opcode::Nrm => What::Nrm,
            Opcode::Dp3 => What::Dp3,
            Opcode::Dp4 => What::Dp4,
            Opcode::Dp2Add => What::Dp2Add,
            Opcode::M4x4 => matrix(4, 4),
            Opcode::M4x3 => matrix(4, 3),
            Opcode::M3x4 => matrix(3, 4),
            Opcode::M3x3 => matrix(3, 3),
            Opcode::M3x2 => matrix(3, 2),
            Opcode::Rcp => What::Rcp,
            Opcode::Rsq => What::Rsq,
            Opcode::Pow => What::Pow,
            Opcode::Dsx => What::Dsx,
            Opcode::Dsy => What::Dsy,
            Opcode::Setp => What::Setp(comparison(instruction)),
            Opcode::Bem => What::Bem {
                stage: operand::destination_index(instruction),
            },
            Opcode::TexKill => What::Kill {
                mask: match version.major {
                    1 => 0b0111,
                    _ => instruction.dst.map_or(0, |dst| dst.mask.bits()),
                },
            },
            Opcode::If
            | Opcode::Ifc
            | Opcode::Else
            | Opcode::EndIf
            | Opcode::Loop
            | Opcode::EndLoop
            | Opcode::Rep
            | Opcode::EndRep
            | Opcode::Break
            | Opcode::Breakc
            | Opcode::Breakp
            | Opcode::Call
            | Opcode::Callnz
            | Opcode::Ret => What::Flow(self.flow(instruction)),
            _ => What::Texture(texture::of(instruction, self.survey, self.options)),
        }
    }

    /// Whether a `cnd` is the second of a pair and writes colours, before ps_1_4.
    fn takes_second(&self, instruction: &Instruction) -> bool {
        let alpha_only = instruction.dst.is_some_and(|dst| dst.mask.bits() == 0b1000);
        instruction.coissue && self.survey.has_texture_temps() && !alpha_only
    }

    fn flow(&mut self, instruction: &Instruction) -> Flow {
        let here = self.here();
        match instruction.op {
            Opcode::If | Opcode::Ifc => {
                self.blocks.push(here as usize);
                Flow::If {
                    test: self.test(instruction, 0),
                    otherwise: 0,
                }
            }
            Opcode::Else => {
                self.close(here);
                self.blocks.push(here as usize);
                Flow::Else { end: 0 }
            }
            Opcode::EndIf => {
                self.close(here);
                Flow::EndIf
            }
            Opcode::Loop | Opcode::Rep => {
                self.blocks.push(here as usize);
                Flow::Loop {
                    counts: self.counts(instruction),
                    counter: instruction.op == Opcode::Loop,
                    after: 0,
                }
            }
            Opcode::EndLoop | Opcode::EndRep => Flow::EndLoop {
                body: self.close(here + 1) + 1,
            },
            Opcode::Break => Flow::Break(Test::Always),
            Opcode::Breakc | Opcode::Breakp => Flow::Break(self.test(instruction, 0)),
            Opcode::Call | Opcode::Callnz => {
                let label = instruction.srcs().first().map_or(0, |s| s.register.index);
                self.calls.push((here as usize, label));
                let test = match instruction.op {
                    Opcode::Callnz => self.test(instruction, 1),
                    _ => Test::Always,
                };
                Flow::Call { test, target: 0 }
            }
            _ if !self.blocks.is_empty() => Flow::Leave,
            _ if self.labels.is_empty() => Flow::End,
            _ => Flow::Return,
        }
    }

    /// Ends the innermost block, whose first operation shall jump to `target`;
    /// gives that operation.
    fn close(&mut self, target: u32) -> u32 {
        let Some(at) = self.blocks.pop() else {
            return 0;
        };
        if let What::Flow(
            Flow::If { otherwise: to, .. } | Flow::Else { end: to } | Flow::Loop { after: to, .. },
        ) = &mut self.ops[at].what
        {
            *to = target;
        }
        at as u32
    }

    fn resolve_calls(&mut self) {
        let end = self.here() - 1;
        for &(at, label) in &self.calls {
            let found = self.labels.iter().find(|(name, _)| *name == label);
            if let What::Flow(Flow::Call { target, .. }) = &mut self.ops[at].what {
                *target = found.map_or(end, |(_, start)| *start);
            }
        }
    }

    fn test(&self, instruction: &Instruction, operand: usize) -> Test {
        let Some(src) = instruction.srcs().get(operand) else {
            return Test::Always;
        };
        let not = src.modifier == SrcModifier::Not;
        let index = src.register.index;
        match src.register.kind {
            RegisterKind::Predicate => Test::Predicate {
                component: src.swizzle.lane(3),
                not,
            },
            RegisterKind::ConstBool => match self.survey.bool_literal(index) {
                Some(value) => Test::Known(value != not),
                None => Test::Constant { index, not },
            },
            _ => Test::Compare(comparison(instruction)),
        }
    }

    fn counts(&self, instruction: &Instruction) -> Counts {
        let index = instruction.srcs().last().map_or(0, |s| s.register.index);
        match self.survey.int_literal(index) {
            Some(value) => Counts::Known(value),
            None => Counts::Constant(index),
        }
    }
}

fn comparison(instruction: &Instruction) -> Comparison {
    instruction.comparison().unwrap_or(Comparison::Gt)
}

/// The address that a relative operand adds.
fn address(relative: ninefold_bytecode::Relative) -> Address {
    match relative.register.kind {
        RegisterKind::Loop => Address::Loop,
        _ => Address::A0(relative.component),
    }
}
