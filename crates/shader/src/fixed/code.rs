//! Arithmetic and the function's frame, over the crate's builder.

use naga::{
    BinaryOperator, Binding, Block, FunctionArgument, FunctionResult, Handle, MathFunction, Module,
    ShaderStage, Statement, StructMember, Type, TypeInner,
};

use crate::build::{Builder, Expr};

pub(super) fn saturate(b: &mut Builder, value: Expr) -> Expr {
    b.math1(MathFunction::Saturate, value)
}

/// The larger of a scalar and a number.
pub(super) fn at_least(b: &mut Builder, value: Expr, least: f32) -> Expr {
    let least = b.lit(least);
    b.math2(MathFunction::Max, value, least)
}

/// The plain dot product.
pub(super) fn dot(b: &mut Builder, x: Expr, y: Expr) -> Expr {
    b.math2(MathFunction::Dot, x, y)
}

pub(super) fn divide(b: &mut Builder, x: Expr, y: Expr) -> Expr {
    b.bin(BinaryOperator::Divide, x, y)
}

/// `vector` at unit length, zero staying zero.
pub(super) fn normalize(b: &mut Builder, vector: Expr) -> Expr {
    let square = dot(b, vector, vector);
    let square = at_least(b, square, f32::MIN_POSITIVE);
    let inverse = b.math1(MathFunction::InverseSqrt, square);
    b.times(vector, inverse)
}

/// `base` to the power `exponent` where `base` is above zero, 0 elsewhere.
pub(super) fn power(b: &mut Builder, base: Expr, exponent: Expr) -> Expr {
    let zero = b.lit(0.0);
    let above = b.bin(BinaryOperator::Greater, base, zero);
    let safe = at_least(b, base, f32::MIN_POSITIVE);
    let value = b.math2(MathFunction::Pow, safe, exponent);
    b.select(above, value, zero)
}

/// Adds an argument to the function.
pub(super) fn argument(b: &mut Builder, ty: Handle<Type>, binding: Binding) -> Expr {
    let arguments = &mut b.function().arguments;
    let index = arguments.len() as u32;
    arguments.push(FunctionArgument {
        name: None,
        ty,
        binding: Some(binding),
    });
    b.argument(index)
}

/// What an entry point returns, member by member.
#[derive(Default)]
pub(super) struct Outputs {
    members: Vec<StructMember>,
    values: Vec<Expr>,
    span: u32,
}

impl Outputs {
    /// Adds a member of `bytes` bytes, a multiple of 16.
    pub(super) fn add(&mut self, ty: Handle<Type>, bytes: u32, binding: Binding, value: Expr) {
        self.members.push(StructMember {
            name: None,
            ty,
            binding: Some(binding),
            offset: self.span,
        });
        self.values.push(value);
        self.span += bytes;
    }
}

/// Returns the outputs from the function and makes it the module's entry point.
pub(super) fn finish(mut b: Builder, outputs: Outputs, stage: ShaderStage, name: String) -> Module {
    let ty = b.ty(TypeInner::Struct {
        members: outputs.members,
        span: outputs.span,
    });
    let value = b.e(naga::Expression::Compose {
        ty,
        components: outputs.values,
    });
    b.function().result = Some(FunctionResult { ty, binding: None });
    b.entry_point(stage, name, value)
}

/// Opens `while *counter < end`; the value is the counter's in this round.
pub(super) fn open_loop(b: &mut Builder, counter: Expr, end: Expr) -> Expr {
    b.open_block();
    let current = b.load(counter);
    let done = b.bin(BinaryOperator::GreaterEqual, current, end);
    b.if_then(done, |b| b.push(Statement::Break));
    current
}

/// Closes the loop [`open_loop`] opened, counting up by one.
pub(super) fn close_loop(b: &mut Builder, counter: Expr, current: Expr) {
    let body = b.close_block();
    b.open_block();
    let one = b.lit_u32(1);
    let next = b.bin(BinaryOperator::Add, current, one);
    b.store(counter, next);
    let continuing: Block = b.close_block();
    b.push(Statement::Loop {
        body,
        continuing,
        break_if: None,
    });
}
