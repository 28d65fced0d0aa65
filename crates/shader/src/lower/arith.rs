//! Arithmetic instructions.

use super::Lowerer;
use super::registers::{self, Value};
use super::source::{XYZW, components_of};
use crate::Error;
use crate::build::{Builder, Expr, Helper};
use naga::{BinaryOperator, DerivativeAxis, DerivativeControl, Expression, MathFunction};
use ninefold_bytecode::{Comparison, Dst, Instruction, Opcode, RegisterKind, Stage, WriteMask};

impl Lowerer<'_> {
    pub(super) fn arithmetic(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let Some(dst) = instruction.dst else {
            return Err(self.unsupported("it has no destination"));
        };
        // Components that an instruction has no result for stay as they are.
        let results = match instruction.op {
            Opcode::M4x3 | Opcode::M3x3 | Opcode::Crs => 0b0111,
            Opcode::M3x2 | Opcode::SinCos => 0b0011,
            _ => 0b1111,
        };
        let mask = WriteMask::from_bits(dst.mask.bits() & results);
        let mut instruction = *instruction;
        instruction.dst = Some(Dst { mask, ..dst });
        let instruction = &instruction;
        let (components, n) = components_of(mask);
        if n == 0 {
            return Ok(());
        }
        let value = self.result(instruction, &components[..n])?;
        self.write(instruction, value)
    }

    /// The value of an arithmetic instruction in the components that it writes.
    fn result(&mut self, instruction: &Instruction, components: &[usize]) -> Result<Value, Error> {
        use Opcode as O;
        let n = components.len();
        let src = instruction.srcs();
        Ok(match instruction.op {
            O::Mov => {
                let value = self.source(&src[0], components)?;
                let to_address = instruction
                    .dst
                    .is_some_and(|dst| dst.register.kind == RegisterKind::Address);
                match to_address {
                    true => self.address_value(value, false),
                    false => value,
                }
            }
            O::Mova => {
                let value = self.source(&src[0], components)?;
                self.address_value(value, true)
            }
            O::Add | O::Sub => {
                let [x, y] = self.two(instruction, components)?;
                let op = match instruction.op {
                    O::Add => BinaryOperator::Add,
                    _ => BinaryOperator::Subtract,
                };
                Value::new(self.b.bin(op, x.expr, y.expr), n)
            }
            O::Mul => {
                let [x, y] = self.two(instruction, components)?;
                Value::new(self.b.mul(n, x.pair(), y.pair()), n)
            }
            O::Mad => {
                let [x, y] = self.two(instruction, components)?;
                let z = self.source(&src[2], components)?;
                Value::new(self.b.mad(n, x.pair(), y.pair(), z.expr), n)
            }
            O::Lrp => {
                let s = self.source(&src[0], components)?;
                let x = self.source(&src[1], components)?;
                let y = self.source(&src[2], components)?;
                Value::new(self.b.lrp(n, s.pair(), x.expr, y.expr), n)
            }
            O::Dp3 => self.dot(instruction, 3)?,
            O::Dp4 => self.dot(instruction, 4)?,
            O::Dp2Add => {
                let product = self.dot(instruction, 2)?;
                let sum = self.scalar(&src[2])?;
                Value::new(self.b.add(product.expr, sum.expr), 1)
            }
            O::M4x4 | O::M4x3 | O::M3x4 | O::M3x3 | O::M3x2 => {
                self.matrix(instruction, components)?
            }
            O::Min => self.pairwise(instruction, components, MathFunction::Min)?,
            O::Max => self.pairwise(instruction, components, MathFunction::Max)?,
            O::Slt => self.step(instruction, components, BinaryOperator::Less)?,
            O::Sge => self.step(instruction, components, BinaryOperator::GreaterEqual)?,
            O::Setp => return self.set_predicate(instruction, components),
            O::Rcp => self.scalar_call(instruction, Helper::Rcp)?,
            O::Rsq => self.scalar_call(instruction, Helper::Rsq)?,
            O::Exp => self.exp2(instruction)?,
            O::Log => self.scalar_call(instruction, Helper::Log)?,
            O::Expp if self.version.major == 1 => {
                self.parts(instruction, components, Helper::ExpParts)?
            }
            O::Logp if self.version.major == 1 => {
                self.parts(instruction, components, Helper::LogParts)?
            }
            O::Expp => self.exp2(instruction)?,
            O::Logp => self.scalar_call(instruction, Helper::Log)?,
            O::Pow => {
                let x = self.scalar(&src[0])?;
                let y = self.scalar(&src[1])?;
                Value::new(self.b.call(Helper::Pow, &[x.expr, y.expr]), 1)
            }
            O::Lit => {
                let x = self.source(&src[0], &XYZW)?;
                let all = self.b.call(Helper::Lit, &[x.expr]);
                self.pick(all, 4, components)
            }
            O::Nrm => {
                let x = self.source(&src[0], &XYZW)?;
                let all = self.b.call(Helper::Nrm, &[x.expr]);
                self.pick(all, 4, components)
            }
            O::Crs => {
                let x = self.source(&src[0], &XYZW[..3])?;
                let y = self.source(&src[1], &XYZW[..3])?;
                let all = self.b.call(Helper::Crs, &[x.expr, y.expr]);
                self.pick(all, 3, components)
            }
            O::Dst => self.distance(instruction, components)?,
            O::Frc => {
                let x = self.source(&src[0], components)?;
                Value::new(self.b.math1(MathFunction::Fract, x.expr), n)
            }
            O::Abs => {
                let x = self.source(&src[0], components)?;
                Value {
                    expr: self.b.math1(MathFunction::Abs, x.expr),
                    ..x
                }
            }
            O::Sgn => {
                let x = self.source(&src[0], components)?;
                Value::finite(self.b.math1(MathFunction::Sign, x.expr), n)
            }
            O::SinCos => self.sin_cos(instruction, components)?,
            O::Cmp => {
                let x = self.source(&src[0], components)?;
                let zero = self.b.lit_n(0.0, n);
                let condition = self.b.bin(BinaryOperator::GreaterEqual, x.expr, zero);
                self.choose(instruction, components, condition)?
            }
            O::Cnd => self.cnd(instruction, components)?,
            O::Bem => self.bem(instruction, components)?,
            O::Dsx => self.derivative(instruction, components, DerivativeAxis::X)?,
            O::Dsy => self.derivative(instruction, components, DerivativeAxis::Y)?,
            _ => return Err(self.unsupported("")),
        })
    }

    /// The first two operands; one expression when they are the same operand.
    fn two(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
    ) -> Result<[Value; 2], Error> {
        let src = instruction.srcs();
        let x = self.source(&src[0], components)?;
        let y = match src[0] == src[1] {
            true => x,
            false => self.source(&src[1], components)?,
        };
        Ok([x, y])
    }

    fn dot(&mut self, instruction: &Instruction, n: usize) -> Result<Value, Error> {
        let [x, y] = self.two(instruction, &XYZW[..n])?;
        Ok(Value::new(self.b.dot(n, x.pair(), y.pair()), 1))
    }

    fn matrix(&mut self, instruction: &Instruction, components: &[usize]) -> Result<Value, Error> {
        let n = match instruction.op {
            Opcode::M4x4 | Opcode::M4x3 => 4,
            _ => 3,
        };
        let src = instruction.srcs();
        let vector = self.source(&src[0], &XYZW[..n])?;
        let mut dots = Vec::with_capacity(4);
        for &component in components {
            let row = self.source_row(&src[1], component as u16, &XYZW[..n])?;
            dots.push(self.b.dot(n, vector.pair(), row.pair()));
        }
        Ok(match dots.len() {
            1 => Value::new(dots[0], 1),
            count => Value::new(self.b.compose(count, dots), count),
        })
    }

    fn pairwise(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
        function: MathFunction,
    ) -> Result<Value, Error> {
        let [x, y] = self.two(instruction, components)?;
        Ok(Value::new(
            self.b.math2(function, x.expr, y.expr),
            components.len(),
        ))
    }

    /// 1 where the comparison holds, 0 where not.
    fn step(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
        op: BinaryOperator,
    ) -> Result<Value, Error> {
        let n = components.len();
        let [x, y] = self.two(instruction, components)?;
        let condition = self.b.bin(op, x.expr, y.expr);
        let [zero, one] = [0.0, 1.0].map(|value| self.b.lit_n(value, n));
        Ok(Value::finite(self.b.select(condition, one, zero), n))
    }

    fn scalar_call(&mut self, instruction: &Instruction, helper: Helper) -> Result<Value, Error> {
        let x = self.scalar(&instruction.srcs()[0])?;
        Ok(Value::new(self.b.call(helper, &[x.expr]), 1))
    }

    fn exp2(&mut self, instruction: &Instruction) -> Result<Value, Error> {
        let x = self.scalar(&instruction.srcs()[0])?;
        Ok(Value::new(self.b.math1(MathFunction::Exp2, x.expr), 1))
    }

    fn parts(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
        helper: Helper,
    ) -> Result<Value, Error> {
        let x = self.scalar(&instruction.srcs()[0])?;
        let all = self.b.call(helper, &[x.expr]);
        Ok(self.pick(all, 4, components))
    }

    /// Components of a vector of `width`; those past its end repeat the last.
    pub(super) fn pick(
        &mut self,
        all: naga::Handle<Expression>,
        width: u8,
        components: &[usize],
    ) -> Value {
        let n = components.len();
        let mut lanes = [0; 4];
        for (lane, &component) in lanes.iter_mut().zip(components) {
            *lane = (component as u8).min(width - 1);
        }
        match n {
            1 => Value::new(self.b.at(all, lanes[0].into()), 1),
            n if n == usize::from(width) && lanes[..n] == [0, 1, 2, 3][..n] => Value::new(all, n),
            n => Value::new(self.b.swizzle(all, &lanes[..n]), n),
        }
    }

    /// `dst`: (1, y y', z, w').
    fn distance(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
    ) -> Result<Value, Error> {
        let src = instruction.srcs();
        let mut parts = Vec::with_capacity(4);
        for &component in components {
            parts.push(match component {
                0 => self.b.lit(1.0),
                1 => {
                    let x = self.source(&src[0], &[1])?;
                    let y = self.source(&src[1], &[1])?;
                    self.b.mul(1, x.pair(), y.pair())
                }
                2 => self.source(&src[0], &[2])?.expr,
                _ => self.source(&src[1], &[3])?.expr,
            });
        }
        Ok(match parts.len() {
            1 => Value::new(parts[0], 1),
            n => Value::new(self.b.compose(n, parts), n),
        })
    }

    /// Cosine in x, sine in y. The two constants that Shader Model 2 asks for only served
    /// its expansion to a series.
    fn sin_cos(&mut self, instruction: &Instruction, components: &[usize]) -> Result<Value, Error> {
        let x = self.scalar(&instruction.srcs()[0])?;
        let mut parts = Vec::with_capacity(4);
        for &component in components {
            parts.push(match component {
                0 => self.b.math1(MathFunction::Cos, x.expr),
                1 => self.b.math1(MathFunction::Sin, x.expr),
                _ => self.b.lit(0.0),
            });
        }
        Ok(match parts.len() {
            1 => Value::new(parts[0], 1),
            n => Value::new(self.b.compose(n, parts), n),
        })
    }

    /// Second operand where the condition holds, third where not.
    fn choose(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
        condition: naga::Handle<Expression>,
    ) -> Result<Value, Error> {
        let src = instruction.srcs();
        let x = self.source(&src[1], components)?;
        let y = self.source(&src[2], components)?;
        let expr = self.b.select(condition, x.expr, y.expr);
        Ok(Value {
            expr,
            n: components.len(),
            known: x.known.min(y.known),
        })
    }

    /// `cnd`: the second operand where the first is above one half. Before ps_1_4 a
    /// co-issued `cnd` on colours takes the second always.
    fn cnd(&mut self, instruction: &Instruction, components: &[usize]) -> Result<Value, Error> {
        let n = components.len();
        let src = instruction.srcs();
        if self.version.minor < 4 && instruction.coissue && components != [3] {
            return self.source(&src[1], components);
        }
        let x = self.source(&src[0], components)?;
        let half = self.b.lit_n(0.5, n);
        let condition = self.b.bin(BinaryOperator::Greater, x.expr, half);
        self.choose(instruction, components, condition)
    }

    fn set_predicate(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
    ) -> Result<Value, Error> {
        let Some(comparison) = instruction.comparison() else {
            return Err(self.unsupported("it has no comparison"));
        };
        let [x, y] = self.two(instruction, components)?;
        let value = self.b.compare(comparison, x.expr, y.expr);
        Ok(Value::finite(value, components.len()))
    }

    fn derivative(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
        axis: DerivativeAxis,
    ) -> Result<Value, Error> {
        let x = self.source(&instruction.srcs()[0], components)?;
        let ctrl = DerivativeControl::None;
        let value = self.b.e(Expression::Derivative {
            axis,
            ctrl,
            expr: x.expr,
        });
        Ok(Value::new(value, components.len()))
    }

    /// Whether any of the given lanes of a register is negative.
    pub(super) fn any_negative(&mut self, lanes: &[registers::Lane]) -> naga::Handle<Expression> {
        let n = lanes.len();
        let value = registers::gather(&mut self.b, naga::Scalar::F32, lanes);
        let zero = self.b.lit_n(0.0, n);
        let negative = self.b.bin(BinaryOperator::Less, value, zero);
        match n {
            1 => negative,
            _ => self.b.e(Expression::Relational {
                fun: naga::RelationalFunction::Any,
                argument: negative,
            }),
        }
    }

    /// A boolean constant register, from `defb` or the extras block.
    pub(super) fn boolean(&mut self, register: u16) -> naga::Handle<Expression> {
        if let Some(value) = self.scan.bool_def(register) {
            return self.b.lit_bool(value);
        }
        if let Ok(place) = self.scan.large.bools.binary_search(&register) {
            let row = self.reflection.large_rows() - self.scan.large.bools.len() + place;
            let words = self.large_row(row as u32, naga::ScalarKind::Uint);
            let word = self.b.at(words, 0);
            let none = self.b.lit_u32(0);
            return self.b.bin(BinaryOperator::NotEqual, word, none);
        }
        let (block, member) = match self.version.stage {
            Stage::Vertex => (
                crate::build::UniformBlock::VertexExtras,
                crate::abi::vertex_member::BOOLS,
            ),
            Stage::Pixel => (
                crate::build::UniformBlock::PixelExtras,
                crate::abi::pixel_member::BOOLS,
            ),
        };
        let all = self.b.uniform_value(block, &[member]);
        let all = self.b.at(all, 0);
        let bit = self.b.lit_u32(1 << (register & 15));
        let bit = self.b.bin(BinaryOperator::And, all, bit);
        let none = self.b.lit_u32(0);
        self.b.bin(BinaryOperator::NotEqual, bit, none)
    }

    /// The first three components of an integer constant register.
    pub(super) fn integers(&mut self, register: u16) -> [naga::Handle<Expression>; 3] {
        if let Some([x, y, z, _]) = self.scan.int_def(register) {
            return [x, y, z].map(|value| self.b.lit_i32(value));
        }
        if let Ok(place) = self.scan.large.ints.binary_search(&register) {
            let large = &self.scan.large;
            let after = large.ints.len() + large.bools.len() - place;
            let row = self.reflection.large_rows() - after;
            let value = self.large_row(row as u32, naga::ScalarKind::Sint);
            return [0, 1, 2].map(|i| self.b.at(value, i));
        }
        let (block, member) = match self.version.stage {
            Stage::Vertex => (
                crate::build::UniformBlock::VertexExtras,
                crate::abi::vertex_member::INTS,
            ),
            Stage::Pixel => (
                crate::build::UniformBlock::PixelExtras,
                crate::abi::pixel_member::INTS,
            ),
        };
        let value = self
            .b
            .uniform_value(block, &[member, u32::from(register & 15)]);
        [0, 1, 2].map(|i| self.b.at(value, i))
    }

    /// A comparison of two scalars, as `if_lt` and `break_lt` make.
    pub(super) fn comparison(
        &mut self,
        instruction: &Instruction,
    ) -> Result<naga::Handle<Expression>, Error> {
        let Some(comparison) = instruction.comparison() else {
            return Err(self.unsupported("it has no comparison"));
        };
        let x = self.scalar(&instruction.srcs()[0])?;
        let y = self.scalar(&instruction.srcs()[1])?;
        Ok(self.b.compare(comparison, x.expr, y.expr))
    }
}

impl Builder {
    /// `x comparison y`. Not equal is the opposite of equal, also for NaN: SPIR-V's comparison
    /// that naga's `!=` becomes is false there, the other languages' is true.
    fn compare(&mut self, comparison: Comparison, x: Expr, y: Expr) -> Expr {
        let operator = match comparison {
            Comparison::Gt => BinaryOperator::Greater,
            Comparison::Eq | Comparison::Ne => BinaryOperator::Equal,
            Comparison::Ge => BinaryOperator::GreaterEqual,
            Comparison::Lt => BinaryOperator::Less,
            Comparison::Le => BinaryOperator::LessEqual,
        };
        let holds = self.bin(operator, x, y);
        match comparison {
            Comparison::Ne => self.not(holds),
            _ => holds,
        }
    }
}
