//! A plain interpreter of Shader Model 2 and 3 and most of 1, written from the D3D9
//! documentation without regard to how the translator works: registers are arrays,
//! instructions run one after the other.
//!
//! Textures are of one colour, so that no coordinate matters.

use ninefold_bytecode::{
    Comparison, Dst, Instruction, Opcode, Payload, Register, RegisterKind, Relative, ShaderCode,
    Src, SrcModifier, Stage, Version,
};
use std::collections::BTreeMap;

type Vec4 = [f32; 4];

/// What a shader reads.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) constants: Vec<Vec4>,
    pub(crate) ints: [[i32; 4]; 16],
    pub(crate) bools: u32,
    /// `v#`.
    pub(crate) inputs: [Vec4; 16],
    /// `t#`, coordinate sets.
    pub(crate) coordinates: [Vec4; 8],
    /// Colour of the texture of each sampler.
    pub(crate) textures: [Vec4; 16],
}

/// What a shader wrote: registers by kind and number.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) registers: BTreeMap<(RegisterKind, u16), Vec4>,
    pub(crate) killed: bool,
    /// A comparison was so close that rounding may decide it otherwise elsewhere.
    pub(crate) close_call: bool,
}

/// Runs a shader; `None` when it uses what this interpreter leaves out.
pub(crate) fn run(code: &ShaderCode, world: &World) -> Option<Outcome> {
    let program: Vec<Instruction> = code.instructions().collect();
    let mut machine = Machine {
        version: code.version(),
        program: &program,
        world,
        constants: world.constants.clone(),
        ints: world.ints,
        bools: (0..16).map(|i| world.bools >> i & 1 != 0).collect(),
        registers: BTreeMap::new(),
        address: [0; 4],
        predicate: [false; 4],
        loop_counters: Vec::new(),
        outcome: Outcome::default(),
        steps: 0,
    };
    machine.define();
    let end = program.len();
    machine.block(0, end)?;
    let mut outcome = machine.outcome;
    outcome.registers = machine.registers;
    Some(outcome)
}

struct Machine<'a> {
    version: Version,
    program: &'a [Instruction],
    world: &'a World,
    constants: Vec<Vec4>,
    ints: [[i32; 4]; 16],
    bools: Vec<bool>,
    registers: BTreeMap<(RegisterKind, u16), Vec4>,
    address: [i32; 4],
    predicate: [bool; 4],
    loop_counters: Vec<Option<i32>>,
    outcome: Outcome,
    steps: u32,
}

/// How a run of instructions ended.
#[derive(PartialEq)]
enum End {
    Ran,
    Broke,
    Returned,
}

fn times(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

fn dot(a: Vec4, b: Vec4, n: usize) -> f32 {
    (0..n)
        .map(|i| times(a[i], b[i]))
        .fold(0.0, |sum, term| sum + term)
}

fn reciprocal(x: f32) -> f32 {
    if x == 0.0 { f32::MAX } else { 1.0 / x }
}

fn reciprocal_root(x: f32) -> f32 {
    if x == 0.0 {
        f32::MAX
    } else {
        1.0 / x.abs().sqrt()
    }
}

fn logarithm(x: f32) -> f32 {
    if x == 0.0 { f32::MIN } else { x.abs().log2() }
}

fn each(f: impl Fn(usize) -> f32) -> Vec4 {
    [f(0), f(1), f(2), f(3)]
}

impl Machine<'_> {
    fn define(&mut self) {
        let clamp = self.version.stage == Stage::Pixel && self.version.major == 1;
        if clamp {
            for value in &mut self.constants {
                *value = value.map(|v| v.clamp(-1.0, 1.0));
            }
        }
        for instruction in self.program {
            let Some(dst) = instruction.dst else { continue };
            let index = usize::from(dst.register.index);
            match instruction.payload {
                Payload::Def(bits) => {
                    if self.constants.len() <= index {
                        self.constants.resize(index + 1, [0.0; 4]);
                    }
                    let value = bits.map(f32::from_bits);
                    self.constants[index] = if clamp {
                        value.map(|v| v.clamp(-1.0, 1.0))
                    } else {
                        value
                    };
                }
                Payload::DefI(value) => self.ints[index] = value,
                Payload::DefB(value) => self.bools[index] = value,
                _ => {}
            }
        }
    }

    /// Index after the instruction that closes the block opened before `start`, and where its
    /// `else` is.
    fn matching(&self, start: usize) -> Option<(usize, Option<usize>)> {
        use Opcode as O;
        let mut depth = 0;
        let mut other = None;
        for (at, instruction) in self.program.iter().enumerate().skip(start) {
            match instruction.op {
                O::If | O::Ifc | O::Loop | O::Rep => depth += 1,
                O::Else if depth == 0 => other = Some(at),
                O::EndIf | O::EndLoop | O::EndRep if depth == 0 => return Some((at, other)),
                O::EndIf | O::EndLoop | O::EndRep => depth -= 1,
                _ => {}
            }
        }
        None
    }

    fn block(&mut self, start: usize, end: usize) -> Option<End> {
        use Opcode as O;
        let mut at = start;
        while at < end {
            self.steps += 1;
            if self.steps > 200_000 {
                return None;
            }
            let instruction = self.program[at];
            let src = instruction.srcs();
            at += 1;
            match instruction.op {
                O::Ret | O::Label => return Some(End::Returned),
                O::If | O::Ifc => {
                    let taken = match instruction.op {
                        O::If => self.condition(&src[0])?,
                        _ => self.compare(&instruction)?,
                    };
                    let (close, other) = self.matching(at)?;
                    let (from, to) = match (taken, other) {
                        (true, other) => (at, other.unwrap_or(close)),
                        (false, Some(other)) => (other + 1, close),
                        (false, None) => (close, close),
                    };
                    let end = self.block(from, to)?;
                    if end != End::Ran {
                        return Some(end);
                    }
                    at = close + 1;
                }
                O::Loop | O::Rep => {
                    let (close, _) = self.matching(at)?;
                    let counts = instruction.op == O::Loop;
                    let register = src[usize::from(counts)].register.index;
                    let [count, first, step, _] = self.ints[usize::from(register & 15)];
                    let mut counter = first;
                    for _ in 0..count.clamp(0, 255) {
                        self.loop_counters.push(counts.then_some(counter));
                        let end = self.block(at, close)?;
                        self.loop_counters.pop();
                        match end {
                            End::Ran => counter += step,
                            End::Broke => break,
                            End::Returned => return Some(End::Returned),
                        }
                    }
                    at = close + 1;
                }
                O::Break => return Some(End::Broke),
                O::Breakc => {
                    if self.compare(&instruction)? {
                        return Some(End::Broke);
                    }
                }
                O::Breakp => {
                    if self.condition(&src[0])? {
                        return Some(End::Broke);
                    }
                }
                O::Call => self.call(src[0].register.index)?,
                O::Callnz => {
                    if self.condition(&src[1])? {
                        self.call(src[0].register.index)?;
                    }
                }
                _ => {
                    let pair = self.program.get(at).copied().filter(|next| next.coissue);
                    let first = self.result(&instruction)?;
                    let second = match &pair {
                        Some(next) => self.result(next)?,
                        None => None,
                    };
                    if let Some(value) = first {
                        self.write(&instruction, value)?;
                    }
                    if let (Some(next), Some(value)) = (&pair, second) {
                        self.write(next, value)?;
                    }
                    at += usize::from(pair.is_some());
                }
            }
        }
        Some(End::Ran)
    }

    fn call(&mut self, label: u16) -> Option<()> {
        let start = self.program.iter().position(|instruction| {
            instruction.op == Opcode::Label && instruction.srcs()[0].register.index == label
        })?;
        self.block(start + 1, self.program.len())?;
        Some(())
    }

    fn condition(&self, src: &Src) -> Option<bool> {
        let value = match src.register.kind {
            RegisterKind::ConstBool => self.bools[usize::from(src.register.index & 15)],
            RegisterKind::Predicate => self.predicate[usize::from(src.swizzle.lane(0))],
            _ => return None,
        };
        Some(value != (src.modifier == SrcModifier::Not))
    }

    fn holds(&mut self, comparison: Comparison, a: f32, b: f32) -> bool {
        if (a - b).abs() <= 1e-4 * a.abs().max(b.abs()) && a.to_bits() != b.to_bits() {
            self.outcome.close_call = true;
        }
        match comparison {
            Comparison::Gt => a > b,
            Comparison::Eq => a == b,
            Comparison::Ge => a >= b,
            Comparison::Lt => a < b,
            Comparison::Ne => a != b,
            Comparison::Le => a <= b,
        }
    }

    fn compare(&mut self, instruction: &Instruction) -> Option<bool> {
        let [a, b] = [0, 1].map(|i| self.source(&instruction.srcs()[i]));
        Some(self.holds(instruction.comparison()?, a?[0], b?[0]))
    }

    fn offset(&self, relative: Relative) -> Option<i32> {
        match relative.register.kind {
            RegisterKind::Loop => self.loop_counters.iter().rev().find_map(|counter| *counter),
            _ => Some(self.address[usize::from(relative.component)]),
        }
    }

    fn read(&self, register: Register, relative: Option<Relative>) -> Option<Vec4> {
        let offset = match relative {
            Some(relative) => self.offset(relative)?,
            None => 0,
        };
        let index = i32::from(register.index) + offset;
        let plain = register.index;
        let find = |list: &[Vec4]| {
            usize::try_from(index)
                .ok()
                .and_then(|i| list.get(i))
                .copied()
                .unwrap_or([0.0; 4])
        };
        let stored = self.registers.get(&(register.kind, plain)).copied();
        Some(match register.kind {
            RegisterKind::Const => find(&self.constants),
            RegisterKind::Input => find(&self.world.inputs),
            RegisterKind::Texture if self.version.major > 1 || self.version.minor == 4 => {
                self.world.coordinates[usize::from(plain & 7)]
            }
            RegisterKind::Misc if plain == 0 => [0.0; 4],
            RegisterKind::Misc => [1.0; 4],
            _ => stored.unwrap_or([0.0; 4]),
        })
    }

    fn source(&self, src: &Src) -> Option<Vec4> {
        self.source_row(src, 0)
    }

    fn source_row(&self, src: &Src, row: u16) -> Option<Vec4> {
        let register = Register::new(src.register.kind, src.register.index + row);
        let value = self.read(register, src.relative)?;
        let value = each(|i| value[usize::from(src.swizzle.lane(i))]);
        use SrcModifier as M;
        Some(match src.modifier {
            M::None => value,
            M::Neg => value.map(|v| -v),
            M::Bias => value.map(|v| v - 0.5),
            M::BiasNeg => value.map(|v| 0.5 - v),
            M::Sign => value.map(|v| 2.0 * (v - 0.5)),
            M::SignNeg => value.map(|v| -2.0 * (v - 0.5)),
            M::Comp => value.map(|v| 1.0 - v),
            M::X2 => value.map(|v| 2.0 * v),
            M::X2Neg => value.map(|v| -2.0 * v),
            M::Abs => value.map(f32::abs),
            M::AbsNeg => value.map(|v| -v.abs()),
            M::Dz => each(|i| times(value[i], reciprocal(value[2]))),
            M::Dw => each(|i| times(value[i], reciprocal(value[3]))),
            M::Not => return None,
        })
    }

    /// The value an instruction computes, before result modifiers; the inner `None` when it
    /// writes nothing.
    fn result(&mut self, instruction: &Instruction) -> Option<Option<Vec4>> {
        use Opcode as O;
        let src = instruction.srcs();
        let operand = |i: usize| src.get(i).map_or(Some([0.0; 4]), |src| self.source(src));
        let stage = instruction
            .dst
            .map_or(0, |dst| usize::from(dst.register.index));
        let one = self.version.major == 1;
        let sampler = match one {
            true => stage,
            false => src.get(1).map_or(0, |src| usize::from(src.register.index)),
        };
        let value = match instruction.op {
            O::Nop | O::Phase | O::Dcl | O::Def | O::DefI | O::DefB => return Some(None),
            O::Tex | O::TexLdd | O::TexLdl => {
                let color = self.world.textures[sampler];
                match one {
                    true => color,
                    false => each(|i| color[usize::from(src[1].swizzle.lane(i))]),
                }
            }
            O::TexCoord if self.version.minor < 4 => {
                let set = self.world.coordinates[stage & 7];
                [
                    set[0].clamp(0.0, 1.0),
                    set[1].clamp(0.0, 1.0),
                    set[2].clamp(0.0, 1.0),
                    1.0,
                ]
            }
            O::TexCoord => operand(0)?,
            O::TexKill => {
                let dst = instruction.dst?;
                let value = match dst.register.kind {
                    RegisterKind::Texture => self.world.coordinates[stage & 7],
                    _ => self.read(dst.register, None)?,
                };
                let mask = if one { 0b111 } else { dst.mask.bits() };
                let negative = (0..4).any(|i| mask >> i & 1 != 0 && value[i] < 0.0);
                self.outcome.close_call |= value.iter().any(|v| v.abs() < 1e-4 && *v != 0.0);
                self.outcome.killed |= negative;
                return Some(None);
            }
            O::Setp => {
                let (a, b) = (operand(0)?, operand(1)?);
                let comparison = instruction.comparison()?;
                for component in instruction.dst?.mask.components() {
                    self.predicate[component] = self.holds(comparison, a[component], b[component]);
                }
                return Some(None);
            }
            O::Mova => {
                let a = operand(0)?;
                for component in instruction.dst?.mask.components() {
                    self.address[component] = a[component].round_ties_even() as i32;
                }
                return Some(None);
            }
            O::Mov if instruction.dst?.register.kind == RegisterKind::Address => {
                self.address[0] = operand(0)?[0].floor() as i32;
                return Some(None);
            }
            O::M4x4 | O::M4x3 | O::M3x4 | O::M3x3 | O::M3x2 => {
                let n = if matches!(instruction.op, O::M4x4 | O::M4x3) {
                    4
                } else {
                    3
                };
                let a = operand(0)?;
                let mut out = [0.0; 4];
                for component in instruction.dst?.mask.components() {
                    out[component] = dot(a, self.source_row(&src[1], component as u16)?, n);
                }
                out
            }
            op => {
                let (a, b, c) = (operand(0)?, operand(1)?, operand(2)?);
                self.arithmetic(op, a, b, c)?
            }
        };
        Some(Some(value))
    }

    fn arithmetic(&mut self, op: Opcode, a: Vec4, b: Vec4, c: Vec4) -> Option<Vec4> {
        use Opcode as O;
        let one = self.version.major == 1;
        Some(match op {
            O::Mov => a,
            O::Add => each(|i| a[i] + b[i]),
            O::Sub => each(|i| a[i] - b[i]),
            O::Mul => each(|i| times(a[i], b[i])),
            O::Mad => each(|i| times(a[i], b[i]) + c[i]),
            O::Lrp => each(|i| times(a[i], b[i] - c[i]) + c[i]),
            O::Dp3 => [dot(a, b, 3); 4],
            O::Dp4 => [dot(a, b, 4); 4],
            O::Dp2Add => [dot(a, b, 2) + c[0]; 4],
            O::Min => each(|i| a[i].min(b[i])),
            O::Max => each(|i| a[i].max(b[i])),
            O::Slt => [0, 1, 2, 3].map(|i| f32::from(self.holds(Comparison::Lt, a[i], b[i]))),
            O::Sge => [0, 1, 2, 3].map(|i| f32::from(self.holds(Comparison::Ge, a[i], b[i]))),
            O::Rcp => [reciprocal(a[0]); 4],
            O::Rsq => [reciprocal_root(a[0]); 4],
            O::Exp => [a[0].exp2(); 4],
            O::Log => [logarithm(a[0]); 4],
            O::Expp if one => [a[0].floor().exp2(), a[0] - a[0].floor(), a[0].exp2(), 1.0],
            O::Expp => [a[0].exp2(); 4],
            O::Logp if one => return None,
            O::Logp => [logarithm(a[0]); 4],
            O::Pow => [times(b[0], logarithm(a[0])).exp2(); 4],
            O::Lit => {
                let power = a[3].clamp(-127.9961, 127.9961);
                let shiny = a[0] > 0.0 && a[1] > 0.0;
                let z = if shiny {
                    times(power, logarithm(a[1])).exp2()
                } else {
                    0.0
                };
                [1.0, a[0].max(0.0), z, 1.0]
            }
            O::Nrm => {
                let scale = reciprocal_root(dot(a, a, 3));
                a.map(|v| times(v, scale))
            }
            O::Crs => [
                times(a[1], b[2]) - times(a[2], b[1]),
                times(a[2], b[0]) - times(a[0], b[2]),
                times(a[0], b[1]) - times(a[1], b[0]),
                0.0,
            ],
            O::Dst => [1.0, times(a[1], b[1]), a[2], b[3]],
            O::Frc => {
                let close = a
                    .iter()
                    .any(|v| (v - v.round()).abs() < 1e-4 && v.fract() != 0.0);
                self.outcome.close_call |= close;
                a.map(|v| v - v.floor())
            }
            O::Abs => a.map(f32::abs),
            O::Sgn => a.map(|v| if v == 0.0 { 0.0 } else { v.signum() }),
            O::SinCos => [a[0].cos(), a[0].sin(), 0.0, 0.0],
            O::Cmp => [0, 1, 2, 3].map(|i| match self.holds(Comparison::Ge, a[i], 0.0) {
                true => b[i],
                false => c[i],
            }),
            O::Cnd => [0, 1, 2, 3].map(|i| match self.holds(Comparison::Gt, a[i], 0.5) {
                true => b[i],
                false => c[i],
            }),
            O::Dsx | O::Dsy => [0.0; 4],
            _ => return None,
        })
    }

    fn write(&mut self, instruction: &Instruction, value: Vec4) -> Option<()> {
        let dst: Dst = instruction.dst?;
        if dst.relative.is_some() {
            return None;
        }
        let scale = f32::from(dst.shift).exp2();
        let old = self
            .registers
            .entry((dst.register.kind, dst.register.index));
        let target = old.or_insert([0.0; 4]);
        for component in dst.mask.components() {
            let mut new = if scale == 1.0 {
                value[component]
            } else {
                value[component] * scale
            };
            if dst.saturate {
                // NaN becomes 0.
                new = if new.is_nan() {
                    0.0
                } else {
                    new.clamp(0.0, 1.0)
                };
            }
            let lane = |src: &Src| {
                let holds = self.predicate[usize::from(src.swizzle.lane(component))];
                holds != (src.modifier == SrcModifier::Not)
            };
            if instruction.predicate.as_ref().is_none_or(lane) {
                target[component] = new;
            }
        }
        Some(())
    }
}
