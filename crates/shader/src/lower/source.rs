//! Reading operands and writing results.

use super::registers::{self, Lane, Value, gather, one};
use super::{Held, Lowerer};
use crate::Error;
use crate::build::{Builder, Expr, Helper, Known, UniformBlock};
use naga::{MathFunction, Scalar, ScalarKind};
use ninefold_bytecode::{
    Dst, Instruction, Opcode, Register, RegisterKind, Relative, Src, SrcModifier, Stage, WriteMask,
};

/// The first four components, for operands read in full.
pub(super) const XYZW: [usize; 4] = [0, 1, 2, 3];

impl Lowerer<'_> {
    /// The four components of a register, before swizzle and modifier.
    pub(super) fn register(
        &mut self,
        register: Register,
        relative: Option<Relative>,
    ) -> Result<[Lane; 4], Error> {
        if let Some(slot) = registers::slot(self.version, register) {
            return Ok(self.registers.lanes(&mut self.b, &mut self.locals, slot));
        }
        let index = usize::from(register.index);
        match register.kind {
            RegisterKind::Const => match relative {
                None => Ok(self.constant(register.index)),
                Some(relative) => self.relative_constant(register.index, relative),
            },
            RegisterKind::Input => match relative {
                None => Ok(self.inputs.registers[index & 15]),
                Some(relative) => self.relative_input(register.index, relative),
            },
            RegisterKind::Texture => Ok(self.inputs.coordinates[index & 7]),
            RegisterKind::Misc => Ok(self.inputs.misc[index & 1]),
            _ => Err(self.unsupported("this register cannot be read here")),
        }
    }

    fn constant(&mut self, register: u16) -> [Lane; 4] {
        if let Some(value) = self.scan.def(register) {
            return value.map(|value| {
                let expr = self.b.lit(value);
                Lane::scalar(expr, Known::of(value))
            });
        }
        // A file that is addressed relatively lies in the buffer as it is.
        let index = self.scan.packed_index(register);
        if self.scan.large.floats {
            let value = self.large_row(index, ScalarKind::Float);
            return Lane::vector(value, Known::Nothing);
        }
        let block = match self.version.stage {
            Stage::Vertex => UniformBlock::VertexConstants,
            Stage::Pixel => UniformBlock::PixelConstants,
        };
        let value = self.b.uniform_value(block, &[index]);
        if self.version.stage == Stage::Pixel && self.version.major == 1 {
            let key = 0x51 << 56 | u64::from(register);
            let clamped = match self.b.remembered(key) {
                Some(clamped) => clamped,
                None => {
                    let [low, high] = [-1.0, 1.0].map(|limit| self.b.lit_n(limit, 4));
                    self.b.math3(MathFunction::Clamp, value, low, high)
                }
            };
            self.b.remember(key, clamped);
            return Lane::vector(clamped, Known::Finite);
        }
        Lane::vector(value, Known::Nothing)
    }

    /// A row of the storage buffer of large constants, its words read as `kind`.
    pub(super) fn large_row(&mut self, row: u32, kind: ScalarKind) -> Expr {
        let block = match self.version.stage {
            Stage::Vertex => UniformBlock::VertexLarge,
            Stage::Pixel => UniformBlock::PixelLarge,
        };
        let words = self.b.uniform_value(block, &[row]);
        if kind == ScalarKind::Uint {
            return words;
        }
        let key = 0x53 << 56 | u64::from(row);
        if let Some(value) = self.b.remembered(key) {
            return value;
        }
        let value = self.b.cast(words, kind, None);
        self.b.remember(key, value);
        value
    }

    /// The integer that a relative address adds.
    pub(super) fn relative_index(&mut self, base: u16, relative: Relative) -> Result<Expr, Error> {
        let offset = match relative.register.kind {
            RegisterKind::Loop => self.loop_counter(),
            _ => {
                let lanes = self.register(relative.register, None)?;
                one(&mut self.b, lanes[usize::from(relative.component & 3)])
            }
        };
        if base == 0 {
            return Ok(offset);
        }
        let key = 0x50 << 56 | u64::from(base) << 32 | offset.index() as u64;
        if let Some(index) = self.b.remembered(key) {
            return Ok(index);
        }
        let base = self.b.lit_i32(base.into());
        let index = self.b.add(offset, base);
        self.b.remember(key, index);
        Ok(index)
    }

    fn relative_constant(&mut self, base: u16, relative: Relative) -> Result<[Lane; 4], Error> {
        let index = self.relative_index(base, relative)?;
        let key = 0x52 << 56 | index.index() as u64;
        let value = match self.b.remembered(key) {
            Some(value) => value,
            None => {
                let helper = match (self.version.stage, self.scan.large.floats) {
                    (Stage::Vertex, false) => Helper::RelativeVertex,
                    (Stage::Pixel, false) => Helper::RelativePixel,
                    (Stage::Vertex, true) => Helper::RelativeVertexLarge,
                    (Stage::Pixel, true) => Helper::RelativePixelLarge,
                };
                self.b.call(helper, &[index])
            }
        };
        self.b.remember(key, value);
        Ok(Lane::vector(value, Known::Nothing))
    }

    /// `v[aL + n]`: a chain of selections over the inputs there are.
    fn relative_input(&mut self, base: u16, relative: Relative) -> Result<[Lane; 4], Error> {
        let index = self.relative_index(base, relative)?;
        let mut value = self.b.lit_n(0.0, 4);
        for register in 0..16 {
            if !self.inputs.declared[register] {
                continue;
            }
            let lanes = self.inputs.registers[register];
            let candidate = gather(&mut self.b, Scalar::F32, &lanes);
            let number = self.b.lit_i32(register as i32);
            let here = self.b.bin(naga::BinaryOperator::Equal, index, number);
            let here = self.b.splat(here, 4);
            value = self.b.select(here, candidate, value);
        }
        Ok(Lane::vector(value, Known::Nothing))
    }

    /// Operand `src` with its swizzle and modifier, in the components `components`
    /// of the result.
    pub(super) fn source(&mut self, src: &Src, components: &[usize]) -> Result<Value, Error> {
        self.source_row(src, 0, components)
    }

    /// [`Lowerer::source`] of the register `row` places after the operand's.
    pub(super) fn source_row(
        &mut self,
        src: &Src,
        row: u16,
        components: &[usize],
    ) -> Result<Value, Error> {
        let register = Register::new(src.register.kind, src.register.index + row);
        let lanes = self.register(register, src.relative)?;
        let n = components.len();
        let mut picked = [lanes[0]; 4];
        let mut known = Known::NonZero;
        for (slot, &component) in picked.iter_mut().zip(components) {
            *slot = lanes[usize::from(src.swizzle.lane(component))];
            known = known.min(slot.known);
        }
        let expr = gather(&mut self.b, Scalar::F32, &picked[..n]);
        if self.only_literals {
            let expr = self.b.opaque(expr, n);
            return self.modified(Value { expr, n, known }, src.modifier);
        }
        let value = Value { expr, n, known };
        let in_order = components
            .iter()
            .enumerate()
            .all(|(i, &component)| component == i && usize::from(src.swizzle.lane(component)) == i);
        if in_order
            && n > 1
            && let Some(slot) = registers::slot(self.version, register)
        {
            self.registers.regroup(slot, value);
        }
        self.modified(value, src.modifier)
    }

    /// Whether an instruction computes with literals alone, or may with two of its operands, so that
    /// they have to hide that they are literals.
    pub(super) fn computes_with_literals(&self, instruction: &Instruction) -> bool {
        let plain = |src: &Src| {
            use SrcModifier as M;
            matches!(src.modifier, M::None | M::Neg | M::Abs | M::AbsNeg)
        };
        let literal = |src: &Src| match src.register.kind {
            RegisterKind::Sampler => true,
            RegisterKind::Const => {
                src.relative.is_none() && self.scan.def(src.register.index).is_some()
            }
            _ => registers::slot(self.version, src.register)
                .is_some_and(|slot| self.registers.is_literal(&self.b, slot)),
        };
        let srcs = instruction.srcs();
        match instruction.op {
            Opcode::Mov if srcs.iter().all(plain) => false,
            _ => {
                let literals = srcs.iter().filter(|src| literal(src)).count();
                literals > 0 && literals >= srcs.len().min(2)
            }
        }
    }

    /// Operand `src` as one scalar: its last swizzle component, which is the only one when
    /// the operand is replicated as scalar instructions ask.
    pub(super) fn scalar(&mut self, src: &Src) -> Result<Value, Error> {
        self.source(src, &[3])
    }

    fn modified(&mut self, value: Value, modifier: SrcModifier) -> Result<Value, Error> {
        use SrcModifier as M;
        let Value { expr, n, known } = value;
        let b = &mut self.b;
        let finite = known.min(Known::Finite);
        Ok(match modifier {
            M::None => value,
            M::Neg => Value {
                expr: negative(b, expr),
                ..value
            },
            M::Abs => Value {
                expr: b.math1(MathFunction::Abs, expr),
                ..value
            },
            M::AbsNeg => {
                let size = b.math1(MathFunction::Abs, expr);
                Value {
                    expr: b.neg(size),
                    ..value
                }
            }
            M::Bias => Value {
                expr: bias(b, expr, n),
                n,
                known: finite,
            },
            M::BiasNeg => {
                let biased = bias(b, expr, n);
                Value {
                    expr: b.neg(biased),
                    n,
                    known: finite,
                }
            }
            M::Sign => Value::new(signed(b, expr, n), n),
            M::SignNeg => {
                let signed = signed(b, expr, n);
                Value::new(b.neg(signed), n)
            }
            M::Comp => {
                let one = b.lit_n(1.0, n);
                Value {
                    expr: b.sub(one, expr),
                    n,
                    known: finite,
                }
            }
            M::X2 => Value::new(b.add(expr, expr), n),
            M::X2Neg => {
                let twice = b.add(expr, expr);
                Value::new(b.neg(twice), n)
            }
            M::Dz | M::Dw | M::Not => {
                return Err(self.unsupported("this source modifier has no meaning here"));
            }
        })
    }

    /// The predicate or a boolean register as conditions for `components`.
    pub(super) fn predicate(&mut self, src: &Src, components: &[usize]) -> Result<Expr, Error> {
        let n = components.len();
        let lanes = self.register(src.register, None)?;
        let mut picked = [lanes[0]; 4];
        for (slot, &component) in picked.iter_mut().zip(components) {
            *slot = lanes[usize::from(src.swizzle.lane(component))];
        }
        let value = gather(&mut self.b, Scalar::BOOL, &picked[..n]);
        Ok(match src.modifier {
            SrcModifier::Not => self.b.not(value),
            _ => value,
        })
    }

    /// Writes `value`, one component for each of the destination's mask or one for all,
    /// through result shift, saturation and predicate.
    pub(super) fn write(&mut self, instruction: &Instruction, value: Value) -> Result<(), Error> {
        let Some(dst) = instruction.dst else {
            return Err(self.unsupported("it has no destination"));
        };
        let value = match dst.register.kind {
            RegisterKind::Address | RegisterKind::Predicate => value,
            _ => self.result_modifiers(&dst, value),
        };
        self.write_mask(instruction, &dst, dst.mask, value)
    }

    fn result_modifiers(&mut self, dst: &Dst, mut value: Value) -> Value {
        if dst.shift != 0 {
            let factor = self.b.lit(f32::from(dst.shift).exp2());
            value = Value::new(self.b.times(value.expr, factor), value.n);
        }
        if dst.saturate {
            value = Value::finite(self.b.math1(MathFunction::Saturate, value.expr), value.n);
        }
        value
    }

    /// Writes to the components `mask` of the destination, without result modifiers.
    pub(super) fn write_mask(
        &mut self,
        instruction: &Instruction,
        dst: &Dst,
        mask: WriteMask,
        value: Value,
    ) -> Result<(), Error> {
        if let Some(relative) = dst.relative {
            return self.write_relative(instruction, dst, relative, value);
        }
        let Some(slot) = registers::slot(self.version, dst.register) else {
            return Err(self.unsupported("this register cannot be written"));
        };
        let value = match instruction.predicate {
            Some(predicate) => self.merge(slot, mask, &predicate, value)?,
            None => value,
        };
        self.assign(slot, mask, value);
        Ok(())
    }

    /// Sets components of a slot, or holds them back for the end of a co-issued pair.
    pub(super) fn assign(&mut self, slot: registers::Slot, mask: WriteMask, value: Value) {
        self.b.name(value.expr, registers::name(slot));
        for (i, component) in mask.components().enumerate() {
            let lane = value.lane(i);
            match &mut self.held {
                Some(held) => held.push(Held {
                    slot,
                    component,
                    lane,
                }),
                None => self.registers.set(slot, component, lane),
            }
        }
    }

    /// `value` where the predicate holds, the old components where not.
    fn merge(
        &mut self,
        slot: registers::Slot,
        mask: WriteMask,
        predicate: &Src,
        value: Value,
    ) -> Result<Value, Error> {
        let (components, n) = components_of(mask);
        let components = &components[..n];
        let condition = self.predicate(predicate, components)?;
        let old = self.registers.lanes(&mut self.b, &mut self.locals, slot);
        let old = components.iter().map(|&component| old[component]);
        let known = old
            .clone()
            .fold(value.known, |known, lane| known.min(lane.known));
        let old: Vec<Lane> = old.collect();
        let scalar = match slot {
            registers::ADDRESS => Scalar::I32,
            registers::PREDICATE => Scalar::BOOL,
            _ => Scalar::F32,
        };
        let old = gather(&mut self.b, scalar, &old);
        let new = match value.n {
            1 => self.b.splat(value.expr, n),
            _ => value.expr,
        };
        Ok(Value {
            expr: self.b.select(condition, new, old),
            n,
            known,
        })
    }

    /// `mov o[aL + n], ...`: every output takes the value where its number matches.
    fn write_relative(
        &mut self,
        instruction: &Instruction,
        dst: &Dst,
        relative: Relative,
        value: Value,
    ) -> Result<(), Error> {
        let index = self.relative_index(dst.register.index, relative)?;
        let (components, n) = components_of(dst.mask);
        for output in 0..12 {
            let slot = registers::FIRST_OUTPUT + output;
            let number = self.b.lit_i32(output as i32);
            let here = self.b.bin(naga::BinaryOperator::Equal, index, number);
            let new = match instruction.predicate {
                Some(predicate) => self.merge(slot, dst.mask, &predicate, value)?,
                None => value,
            };
            let new = match new.n {
                1 => self.b.splat(new.expr, n),
                _ => new.expr,
            };
            let old = self.registers.lanes(&mut self.b, &mut self.locals, slot);
            let old: Vec<Lane> = components[..n].iter().map(|&c| old[c]).collect();
            let old = gather(&mut self.b, Scalar::F32, &old);
            let here = self.b.splat(here, n);
            let merged = self.b.select(here, new, old);
            self.assign(slot, dst.mask, Value::new(merged, n));
        }
        Ok(())
    }

    /// `value` as integers: the way `mov` (`nearest` false) and `mova` fill `a0`.
    pub(super) fn address_value(&mut self, value: Value, nearest: bool) -> Value {
        let function = if nearest {
            MathFunction::Round
        } else {
            MathFunction::Floor
        };
        let whole = self.b.math1(function, value.expr);
        Value::finite(self.b.cast(whole, ScalarKind::Sint, Some(4)), value.n)
    }
}

/// The components of a mask, in order, and how many.
pub(super) fn components_of(mask: WriteMask) -> ([usize; 4], usize) {
    let mut components = [0; 4];
    let mut n = 0;
    for component in mask.components() {
        components[n] = component;
        n += 1;
    }
    (components, n)
}

fn negative(b: &mut Builder, expr: Expr) -> Expr {
    match b.literal_value(expr) {
        Some(value) => b.lit(-value),
        None => b.neg(expr),
    }
}

/// `x - 0.5`.
fn bias(b: &mut Builder, expr: Expr, n: usize) -> Expr {
    let half = b.lit_n(0.5, n);
    b.sub(expr, half)
}

/// `2 (x - 0.5)`.
fn signed(b: &mut Builder, expr: Expr, n: usize) -> Expr {
    let biased = bias(b, expr, n);
    b.add(biased, biased)
}
